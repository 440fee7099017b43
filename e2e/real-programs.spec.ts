import { expect, type Page, test } from "@playwright/test";
import type { Address } from "@solana/kit";
import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import { openRealNetwork, programFiles, type RealNetwork } from "../test/twin/real-network.ts";
import { openAs } from "./page.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";
import { accountOnChain, deployOn, fillsOnChain } from "./real-life.ts";

const { absent, programs = {} } = programFiles(process.env);
const SOL = 1_000_000_000n;
const DOLLAR = 1_000_000n;
const RULES = {
  long: "OPEN_LONG",
  short: "OPEN_SHORT",
  cover: "CLOSE_SHORT",
};

interface Life {
  readonly network: RealNetwork;
  readonly trader: Trader;
  readonly agent: FundedAgent;
  readonly vault: Address;
  readonly page: Page;
}

/** Waits for what the chain's bytes say, then for the product's answer and its page to say the same. */
async function expectSame(life: Life, isReached: (base: bigint) => boolean): Promise<void> {
  const { network, agent, vault, page } = life;
  const onChain = () => accountOnChain(network, vault);
  await expect
    .poll(() => isReached(onChain().base), { timeout: 120_000, message: "the chain is there" })
    .toBe(true);
  const { figures } = onChain();
  await expect.poll(() => agent.position(), { timeout: 60_000 }).toMatchObject(figures);
  const banner = page.getByRole("banner");
  const shown = (text: string) => banner.getByText(text).filter({ visible: true });
  await expect(shown(`Value: $${figures.positionValue}`)).toBeVisible();
  await page.getByRole("tab", { name: "Manage Funds" }).click();
  await expect(page.getByText(`Current Holdings: ${figures.portfolioValue} USD`)).toBeVisible();
}

/** Fires an alert and waits until its order is in the trade log, filled by what the chain's events say. */
async function trade(life: Life, alert: keyof typeof RULES, entries: number): Promise<void> {
  const { agent, network, page } = life;
  const { status } = await agent.fire(alert, new Date().toISOString());
  expect(status).toBeLessThan(300);
  const filled = async () => (await agent.log()).filter(({ status }) => status === "success");
  await expect
    .poll(async () => (await filled()).length, { timeout: 120_000, message: `${alert} is filled` })
    .toBe(entries);
  const [newest] = await filled();
  const { size } = await fillsOnChain(network, newest?.signature ?? "");
  expect(newest?.size).toBe(size);
  await page.getByRole("tab", { name: "Trade Log" }).click();
  await expect(page.getByRole("table").getByRole("row").nth(1)).toContainText(size);
}

for (const minPerpAuctionDuration of [0, 10]) {
  const title = `an agent lives its whole life on the real programs, auctions of ${minPerpAuctionDuration} slots`;
  test(`${title}${absent === null ? "" : ` [not run: ${absent}]`}`, async ({ page }) => {
    test.skip(absent !== null, absent ?? "");
    const dataDir = makeDataDir();
    const network = await openRealNetwork(programs, { minPerpAuctionDuration });
    const { keys, settings } = await deployOn(network, dataDir.path);
    const product = await startProduct(dataDir.path, await freePort(), settings);
    try {
      const trader = await createTrader(product.url);
      await network.give(trader.address as Address, 5n * SOL);
      await network.giveDollars(trader.address as Address, 1_000n * DOLLAR);
      const agent = await trader.createAgent("Agent", { network: "devnet", rules: RULES });
      const { vault } = keys.of(agent.botId);
      const life: Life = { network, trader, agent, vault, page };
      await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
      expect(accountOnChain(network, vault).deposit).toBe(500n * DOLLAR);
      await expectSame(life, (base) => base === 0n);

      await trade(life, "long", 1);
      await expectSame(life, (base) => base > 0n);
      await network.exchange.setPrice(157n * DOLLAR);
      await expectSame(life, (base) => base > 0n);
      await trade(life, "short", 2);
      await expectSame(life, (base) => base < 0n);
      await trade(life, "cover", 3);
      await expectSame(life, (base) => base === 0n);

      await trade(life, "long", 4);
      await trader.call("PUT", `/api/agents/${agent.botId}/trading-status`, {
        tradingStatus: "off",
      });
      await expectSame(life, (base) => base === 0n);
      const most = async () => (await agent.position()) as unknown as { withdrawable: string };
      const { deposit } = accountOnChain(network, vault);
      await expect
        .poll(async () => Number((await most()).withdrawable))
        .toBe(Number(deposit) / 1e6);
      await trader.approve(agent.botId, "withdraw", (await most()).withdrawable);
      expect(accountOnChain(network, vault).deposit).toBe(0n);
      await trader.approve(agent.botId, "delete");
    } finally {
      await product.stop();
      await network.close();
      dataDir.remove();
    }
  });
}
