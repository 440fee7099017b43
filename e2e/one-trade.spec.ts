import { randomBytes } from "node:crypto";
import { expect, type Locator, test } from "@playwright/test";
import { withDatabase } from "../bench/bench-database.ts";
import { createTrader } from "../test/trader.ts";
import { displayDecimal as shown, groupThousands } from "../src/client/lib/format.ts";
import { formatDecimal, mulDiv } from "../src/domain/amount.ts";
import { parseBookEvent } from "../src/venues/drift/book-events.ts";
import { ORDER_ACTION, parseOrderActionLog } from "../src/venues/drift/order-action-record.ts";
import { openAs } from "./page.ts";
import { startAlone } from "./product.ts";
import { patient } from "../test/patient.ts";

const DEPOSIT = 500_000_000n;

const quote = (units: bigint) => formatDecimal(units, 6);
const base = (units: bigint) => formatDecimal(units, 9);

/** Returns a number with two decimals and the page's sign format. */
const twoPlaces = (units: bigint, before = "") => {
  // A gain is cut and a loss rounded away from zero
  const cents = units < 0n ? (-units + 9_999n) / 10_000n : units / 10_000n;
  const text = shown(quote(cents * 10_000n), 2);
  return `${!/[1-9]/.test(text) ? "" : units < 0n ? "−" : "+"}${before}${text}`;
};

/** Returns the definition of a term. */
const beside = (within: Locator, term: string) =>
  within.locator("dt", { hasText: new RegExp(`^${term}`) }).locator("xpath=following-sibling::dd");

/** Returns fill and fee from a transaction's events. */
function fillOf(logs: readonly string[]) {
  const fills = logs
    .flatMap((line) => parseOrderActionLog(line) ?? [])
    .filter(({ action }) => action === ORDER_ACTION.fill);
  const sum = (key: "baseAssetAmountFilled" | "quoteAssetAmountFilled" | "takerFee") =>
    fills.reduce((total, fill) => total + (fill[key] ?? 0n), 0n);
  return {
    base: sum("baseAssetAmountFilled"),
    quote: sum("quoteAssetAmountFilled"),
    fee: sum("takerFee"),
  };
}

test("a trade shows the chain's figures in every place of the page", async ({ page }) => {
  await withDatabase(async (databaseUrl, pool) => {
    const env = { DATABASE_URL: databaseUrl, SESSION_SECRET: randomBytes(32).toString("hex") };
    const product = await startAlone(env);
    try {
      const trader = await createTrader(product.url);
      await trader.takePracticeMoney("5", "1000");
      const agent = await trader.createAgent("One ** SOL-1h");
      const fire = async (alert: string, lines: number) => {
        expect((await agent.fire(alert, new Date().toISOString())).status).toBeLessThan(300);
        const filled = async () =>
          (await agent.log()).filter(({ status }) => status === "success").length;
        await expect.poll(filled).toBe(lines);
      };
      /** Returns the chain's data of the newest entry's transaction. */
      const onChain = async () => {
        const signature = (await agent.log())[0]?.signature ?? "";
        const { rows } = await pool.query(
          "select logs from practice_transactions where signature = $1",
          [signature],
        );
        return { signature, ...fillOf(rows[0].logs) };
      };
      /** Returns the funding of everything that happened on the chain: positive when received. */
      const paidFunding = async () => {
        const { rows } = await pool.query<{ line: string }>(
          "select jsonb_array_elements_text(logs) as line from practice_transactions",
        );
        return rows.reduce((sum, { line }) => {
          const event = parseBookEvent(line);
          return event?.kind === "funding" ? sum + event.record.fundingPayment : sum;
        }, 0n);
      };
      await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=trade-log`);
      const header = (text: string) =>
        page.getByRole("banner").getByText(text).filter({ visible: true });

      await fire("enter", 1);
      const opened = await onChain();
      expect(opened.base).toBeGreaterThan(0n);
      await expect(header(`Position: ${shown(base(opened.base), 2)} SOL`)).toBeVisible();
      expect((await agent.position()).position).toBe(base(opened.base));

      await fire("exit", 2);
      const closed = await onChain();
      expect(closed.base).toBe(opened.base);
      const realised = closed.quote - opened.quote;
      const fees = opened.fee + closed.fee;
      // Charged when an hour begins while the position is open
      const funding = await paidFunding();
      const worth = DEPOSIT + realised - fees + funding;

      const panel = page.getByRole("tabpanel");
      for (const [name, trade] of [
        ["Open long", opened],
        ["Close long", closed],
      ] as const) {
        const row = panel.getByRole("row").filter({ hasText: name });
        await expect(row.getByRole("cell").nth(1)).toHaveText(base(trade.base));
        await row.getByRole("button").first().click();
        await expect(panel.getByText(trade.signature)).toBeVisible();
        const price = mulDiv(trade.quote, 10n ** 9n, trade.base, "half_up");
        await expect(beside(panel, "Price").first()).toHaveText(`$${groupThousands(quote(price))}`);
        await expect(beside(panel, "Fee").first()).toHaveText(
          `$${groupThousands(quote(trade.fee))}`,
        );
        await expect(beside(panel, "Total").first()).toHaveText(
          `$${groupThousands(quote(trade.quote))}`,
        );
        if (trade === closed) {
          await expect(beside(panel, "P&L").first()).toContainText(twoPlaces(realised - fees, "$"));
        }
        await row.getByRole("button").first().click();
      }
      await expect(header("Position: 0.00 SOL")).toBeVisible();
      await expect(header(`Account: $${shown(quote(worth), 2)}`)).toBeVisible();

      // The ledger counts only final transactions
      const read = <T>(path: string) => trader.call<T>("GET", path);
      type Money = { readonly unbooked: number; readonly money: Readonly<Record<string, string>> };
      const performance = `/api/agents/${agent.botId}/performance?range=30d`;
      await expect
        .poll(async () => (await read<Money>(performance)).money, { timeout: patient(90_000) })
        .toMatchObject({
          realised: quote(realised),
          fees: quote(-fees),
          funding: quote(funding),
          deposited: quote(DEPOSIT),
        });
      await page.getByRole("tab", { name: "Performance" }).click();
      await expect(beside(panel, "Realised")).toHaveText(`${twoPlaces(realised)} USDC`);
      await expect(beside(panel, "Fees")).toHaveText(`${twoPlaces(-fees)} USDC`);
      await expect(beside(panel, "Deposited")).toHaveText(`${shown(quote(DEPOSIT), 2)} USDC`);

      const portfolio = await read<{
        networks: { network: string; total: string; made: { all: { amount: string } } }[];
      }>(`/api/wallets/${trader.address}/portfolio?range=30d`);
      expect(portfolio.networks.find(({ network }) => network === "practice")).toMatchObject({
        total: quote(worth),
        made: { all: { amount: quote(realised - fees + funding) } },
      });
      await page.getByRole("tab", { name: "Portfolio" }).click();
      await expect(panel.getByText(`${shown(quote(worth), 2)} USDC`).first()).toBeVisible();
      await expect(beside(panel, "All")).toContainText(twoPlaces(realised - fees + funding));

      const file = await fetch(
        `${product.url}/api/export/agent?agentId=${agent.botId}&what=trades&format=csv`,
        { headers: { authorization: `Bearer ${trader.token}` } },
      );
      const [head = "", ...lines] = (await file.text()).trim().split("\r\n");
      const columns = head.split(",");
      const rows = lines.map((line) => {
        const cells = line.split(",");
        return Object.fromEntries(columns.map((name, at) => [name, cells[at]]));
      });
      expect(rows).toMatchObject([
        {
          side: "buy",
          size: base(opened.base),
          total: quote(opened.quote),
          fee: quote(opened.fee),
          signature: opened.signature,
        },
        {
          side: "sell",
          size: base(closed.base),
          total: quote(closed.quote),
          fee: quote(closed.fee),
          realised_pnl: quote(realised),
          signature: closed.signature,
        },
      ]);

      // A returning user with completed onboarding and no stored tab starts at the portfolio and stays there
      await page.evaluate(() => localStorage.removeItem("workspace-tab"));
      await page.goto(product.url);
      await expect(panel.getByRole("button", { name: "One ** SOL-1h" })).toBeVisible();
      await expect(page.getByRole("tab", { name: "Portfolio" })).toHaveAttribute(
        "aria-selected",
        "true",
      );
    } finally {
      await product.stop();
    }
  });
});
