import { chmodSync, readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { Client } from "pg";
import {
  type EmbeddedPostgres,
  launchPostgres,
} from "../src/server/store/launch/launch-postgres.ts";
import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";

const TRADES = 10_000;
const FAILED = 300;
const MESSAGES = 450;
const PAGE_BYTES = 100_000;

/** A log of ten thousand trades and three hundred failed orders, and long chats, in the database before the page is opened. */
test.describe("a log of ten thousand trades and a long chat", () => {
  test.describe.configure({ mode: "serial" });

  const folders = [makeDataDir(), makeDataDir()] as const;
  let postgres: EmbeddedPostgres;
  let database: Client;
  let product: Product;
  let trader: Trader;
  let agent: FundedAgent;

  const addLines = (from: number, to: number, status: "success" | "failed") =>
    database.query(
      `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, reason, base_size,
         base_decimals, percentage, quote_total, quote_decimals, price, fee, at)
       select md5($5 || n::text), $1, $2, 'SOL-PERP', case when n % 2 = 0 then 'OPEN_LONG' else 'CLOSE_LONG' end,
         'market', case when n % 2 = 0 then 'long' else 'sell' end, $5,
         case when $5 = 'failed' then 'already_long' end, n * 1000000::bigint, 9, 100, '350000000', 6, '140000000',
         '350000', now() - (20000 - n) * interval '1 minute'
       from generate_series($3::int, $4::int) as n`,
      [agent.botId, agent.chatId, from, to, status],
    );

  test.beforeAll(async () => {
    chmodSync(folders[0].path, 0o711);
    postgres = await launchPostgres({
      dataDir: folders[0].path,
    });
    database = new Client({ connectionString: postgres.url });
    await database.connect();
    product = await startProduct(folders[1].path, await freePort(), { DATABASE_URL: postgres.url });
    trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "1000");
    agent = await trader.createAgent("Agent ** SOL-1h");
    await addLines(1, TRADES, "success");
    await addLines(1, FAILED, "failed");
  });

  test.afterAll(async () => {
    await database.end();
    await product.stop();
    await postgres.stop();
    for (const folder of folders) folder.remove();
  });

  const open = async (page: Page) => {
    await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=trade-log`);
    const table = page.getByRole("table", { name: "Trade log" });
    await expect(table.getByText("Open long").first()).toBeVisible();
    const scroller = page.getByRole("group", { name: "Trade log entries" });
    return { table, scroller, last: table.locator("tbody tr").last() };
  };

  test("draws one screenful, loads more on scrolling and stays smooth", async ({ page }) => {
    const sizes: number[] = [];
    page.on("response", (answer) => {
      if (!answer.url().includes("/api/logs/get-all")) return;
      void answer.body().then((body) => sizes.push(body.length));
    });
    const { table, scroller, last } = await open(page);
    await expect(table).toHaveAttribute("aria-rowcount", `${TRADES + 1}`);
    expect(sizes.length).toBeLessThanOrEqual(2);
    const busiest = await scroller.evaluate(async (box) => {
      let most = 0;
      for (let step = 0; step < 60; step++) {
        box.scrollTop += 4_000;
        await new Promise(requestAnimationFrame);
        most = Math.max(most, box.querySelectorAll("tbody tr").length);
      }
      return most;
    });
    expect(busiest).toBeLessThanOrEqual(60);
    await scroller.focus();
    await page.keyboard.press("End");
    await expect(last).toHaveAttribute("aria-rowindex", `${TRADES + 1}`);
    // The first trade of all, whose size is its number
    await expect(last).toContainText("0.001");
    await expect(page.getByText("Loading older trades...")).toHaveCount(0);
    expect(Math.max(...sizes)).toBeLessThan(PAGE_BYTES);
    // What came meanwhile costs one page, not fifty
    const asked = sizes.length;
    await addLines(TRADES + 1, TRADES + 1, "success");
    await expect(async () => {
      // As when the reader comes back to the page, because nobody announced this trade
      await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      await expect(table).toHaveAttribute("aria-rowcount", `${TRADES + 2}`, { timeout: 500 });
    }).toPass();
    await expect(last).toHaveAttribute("aria-rowindex", `${TRADES + 2}`);
    expect(sizes.length - asked).toBeLessThanOrEqual(10);
  });

  test("says when older trades could not be read, and tries again", async ({ page }) => {
    const { scroller, last } = await open(page);
    await page.route(/get-all-by-chat-id.*before=/, (route) => route.abort());
    await scroller.focus();
    await page.keyboard.press("End");
    await expect(page.getByText("Older trades could not be loaded.")).toBeVisible();
    await page.unroute(/get-all-by-chat-id.*before=/);
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await expect(last).toHaveAttribute("aria-rowindex", `${TRADES + 2}`);
  });

  test("counts failed entries and exports all entries, whatever was loaded", async ({ page }) => {
    const { table } = await open(page);
    const attention = page.getByRole("button", { name: `Attention ${FAILED}` });
    const lines = async () => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export as CSV" }).click();
      return readFileSync(await (await download).path(), "utf8")
        .trimEnd()
        .split("\r\n");
    };
    expect(await lines()).toHaveLength(TRADES + 2);
    await attention.click();
    await expect(table).toHaveAttribute("aria-rowcount", `${FAILED + 1}`);
    expect(await lines()).toHaveLength(FAILED + 1);
  });

  /** A chat of several pages of messages. */
  const openChat = async (page: Page) => {
    const body = { title: "Long", walletAddress: trader.address };
    const { _id: chatId } = await trader.call<{ _id: string }>("POST", "/api/chats/add-chat", body);
    await database.query(
      `insert into messages (chat_id, id, type, content, sent_at)
       select $1, 'message-' || 1000 + n, 'user', 'Question ' || n || '.', now() from generate_series(1, $2::int) as n`,
      [chatId, MESSAGES],
    );
    await openAs(page, trader, `${product.url}/chat/${chatId}`);
    const log = page.getByRole("log");
    await expect(log.getByText(`Question ${MESSAGES}.`)).toBeInViewport();
    await expect(log.getByRole("article").last()).toHaveAttribute("aria-setsize", "200");
    return log;
  };

  test("older messages load above the visible ones, which stay in place", async ({ page }) => {
    const log = await openChat(page);
    await page.route(/before=/, (route) => route.abort());
    await log.evaluate((list) => list.scrollTo({ top: 0, behavior: "instant" }));
    const failure = page.getByRole("alert").filter({ hasText: "could not be loaded" });
    await expect(failure).toBeVisible();
    const read = log.getByText(`Question ${MESSAGES - 199}.`);
    await expect(read).toBeInViewport();
    const place = async () => (await read.boundingBox())?.y ?? 0;
    const before = await place();
    await page.unroute(/before=/);
    await failure.getByRole("button", { name: "Try again" }).click();
    await expect(failure).toBeHidden();
    await expect(log.getByRole("article").first()).not.toHaveAttribute("aria-setsize", "200");
    expect(Math.abs((await place()) - before)).toBeLessThan(3);

    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Search this chat" }).fill("question 7");
    await expect(page.getByText("11 found", { exact: true })).toBeVisible();
  });

  test("Home goes to a chat's first message through all pages", async ({ page }) => {
    const log = await openChat(page);
    await log.focus();
    await page.keyboard.press("Home");
    await expect(log.getByText("Question 1.", { exact: true })).toBeInViewport();
    await page.keyboard.press("End");
    await expect(log.getByText(`Question ${MESSAGES}.`)).toBeInViewport();
  });
});
