import { randomBytes } from "node:crypto";
import { expect, test } from "@playwright/test";
import { address } from "@solana/kit";
import { startExchange } from "../test/exchange-server.ts";
import { openPracticeNode, practiceNodeSettings } from "../test/practice-node.ts";
import { createTrader, type FundedAgent } from "../test/trader.ts";
import { findViolations } from "./accessibility.ts";
import { approveInWallet, openAs } from "./page.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";

const SOL = 1_000_000_000n;
const PATIENT = { timeout: 60_000 };
const MINUTES = { timeout: 180_000 };

/** An agent as the server answers. */
type MadeAgent = Pick<FundedAgent, "botId" | "chatId"> & { readonly number?: number };

/** Starts the product with practice and a network of real nodes, which a node of this machine stands for. */
async function startWithNode() {
  const folder = makeDataDir();
  const exchange = await startExchange({ now: () => Date.now() });
  const { chain, rpc } = await openPracticeNode();
  const { feePayer, settings } = practiceNodeSettings(rpc.url, folder.path);
  await chain.fund(feePayer, { lamports: 1_000n * SOL, quoteUnits: 0n });
  const product = await startProduct(folder.path, await freePort(), {
    ...settings,
    NETWORKS: "practice,mainnet",
    RPC_REQUESTS_PER_SECOND: "1000",
    PRICE_SOURCES: `binance=${exchange.binance},bybit=${exchange.bybit}`,
    SESSION_SECRET: randomBytes(32).toString("hex"),
  });
  return {
    url: product.url,
    fund: (owner: string) =>
      chain.fund(address(owner), { lamports: 10n * SOL, quoteUnits: 1_000_000_000n }),
    async stop() {
      await product.stop();
      await rpc.close();
      await exchange.close();
      folder.remove();
    },
  };
}

test("an agent with play money is held against the bar and goes live below it by a signature", async ({
  page,
}) => {
  const product = await startWithNode();
  try {
    const trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Dip");
    const now = () => `${new Date().toISOString().slice(0, 19)}Z`;
    await agent.fire("enter", now());
    await expect.poll(async () => (await agent.log())[0]?.status).toBe("success");
    await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);

    // In Portfolio, and the same beside the agent's performance
    await page.getByRole("tab", { name: "Portfolio" }).click();
    const card = page.getByRole("region", { name: "Readiness for real money" });
    await card.getByRole("button", { name: "Check" }).click();
    await expect(card.getByText("0 of 14 days, 0 of 20 closed trades")).toBeVisible();
    await page.goto(`${product.url}/chat/${agent.chatId}?tab=performance`);
    await card.getByRole("button", { name: "Check" }).click();
    await expect(card.getByText("0 of 14 days, 0 of 20 closed trades")).toBeVisible();
    await expect(
      card.getByRole("list", { name: "Lines of the bar" }).getByRole("listitem"),
    ).toHaveCount(5);
    expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);

    // The bar is the owner's
    await card.getByText("Your bar", { exact: true }).click();
    await card.getByLabel("Days").fill("0");
    await card.getByLabel("Closed trades").fill("0");
    await card.getByRole("button", { name: "Save bar" }).click();
    await expect(card.getByText("0 of 0 days, 0 of 0 closed trades")).toBeVisible();

    await card.getByRole("button", { name: "Go live" }).click();
    const dialog = page.getByRole("dialog", { name: "Go live" });
    await expect(dialog.getByRole("region", { name: "Below your bar" })).toContainText("Overfit");
    await expect(dialog.getByText("Position size 10% instead of 100%.")).toBeVisible();
    await dialog.getByRole("button", { name: "Sign and make it" }).click();
    await expect(page.getByText(/although it is below your bar\. Missing: /)).toBeVisible();
    await approveInWallet(page);
    const banner = page.getByRole("banner");
    await expect(banner.getByText("Mainnet", { exact: true })).toBeVisible({ timeout: 20_000 });
    const shadow = page.getByRole("region", { name: "Shadow" });
    await shadow.getByRole("button", { name: "Check" }).click();
    await expect(shadow.getByText("It has not traded yet.")).toBeVisible();

    const made = await trader.call<MadeAgent>(
      "GET",
      `/api/agents/get-agentBychatId/${page.url().split("/chat/")[1]?.slice(0, 32)}`,
    );
    expect(made).toMatchObject({
      agentName: "Dip live",
      network: "mainnet",
      tradingStatus: "off",
      positionSizePercent: 10,
      limits: { dayLossBps: 1_000 },
    });
    expect(made.number).toBeUndefined();

    // With money it trades beside the agent it was made from, and the report tells how far they part
    await product.fund(trader.address);
    const live = await trader.fundAgent(made);
    const success = async ({ log }: FundedAgent, trades: number) =>
      expect
        .poll(
          async () => (await log()).filter(({ status }) => status === "success").length,
          PATIENT,
        )
        .toBe(trades);
    await live.fire("enter", now());
    await success(live, 1);
    for (const each of [live, agent]) await each.fire("exit", now());
    await success(live, 2);
    await success(agent, 2);
    const twin = shadow.getByRole("region", { name: "Against its twin" });
    // Compared once the minute in which both traded is over and its bar is there
    await expect(async () => {
      await page.reload();
      await shadow.getByRole("button", { name: "Check" }).click();
      await expect(twin.getByText("Both traded").first()).toBeVisible();
    }).toPass(MINUTES);
    await expect(twin.getByRole("button", { name: "Dip" })).toBeVisible();
    await expect(shadow.getByRole("region", { name: "Against its simulation" })).toBeVisible();
    expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
  } finally {
    await product.stop();
  }
});
