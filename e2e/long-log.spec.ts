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
const PAGE_BYTES = 100_000;

/** A log of ten thousand trades and three hundred failed orders, in the database before the page is opened. */
test.describe("a log of ten thousand trades", () => {
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
      searchPath: process.env["PATH"] ?? "",
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

  test("draws a screenful, loads what is scrolled to and stays smooth", async ({ page }) => {
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

  test("counts what failed and exports whole, whatever was loaded", async ({ page }) => {
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
});
