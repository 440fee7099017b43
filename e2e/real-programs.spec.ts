import { expect, type Page, test } from "@playwright/test";
import type { Address } from "@solana/kit";
import { formatDecimal } from "../src/domain/amount.ts";
import { createTrader, type FundedAgent, type Trader, onAlert } from "../test/trader.ts";
import { openRealNetwork, programFiles, type RealNetwork } from "../test/twin/real-network.ts";
import { approveInWallet, openAs } from "./page.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";
import { accountOnChain, deployOn, filledOnChain } from "./real-life.ts";
import { patient } from "../test/patient.ts";

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

/** Waits for a state on chain, then until the product's answer and page say what the chain says at that moment. */
async function expectSame(life: Life, isReached: (base: bigint) => boolean): Promise<void> {
  const { network, agent, vault, page } = life;
  const onChain = () => accountOnChain(network, vault);
  await expect
    .poll(() => isReached(onChain().base), {
      timeout: patient(120_000),
      message: "the chain is there",
    })
    .toBe(true);
  await page.getByRole("tab", { name: "Manage Funds" }).click();
  const header = page.getByRole("banner");
  // Read again in each try: the chain may charge the account afterwards, e.g. for an order that expired
  await expect(async () => {
    const { figures } = onChain();
    expect(await agent.position()).toMatchObject(figures);
    const shown = header.getByText(`Value: $${figures.positionValue}`).filter({ visible: true });
    await expect(shown).toBeVisible({ timeout: 1_000 });
    const holdings = page.getByText(`Current Holdings: ${figures.portfolioValue} USD`);
    await expect(holdings).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: patient(60_000) });
}

/** Makes the page's practice wallet sign for this network and send to it, as an extension would. */
async function walletOn(page: Page, network: RealNetwork): Promise<void> {
  await page.exposeFunction("sendToNetwork", (transaction: string) =>
    network.chain.send(Uint8Array.from(Buffer.from(transaction, "base64"))),
  );
  await page.addInitScript(() => {
    interface Input {
      readonly transaction: Uint8Array;
      readonly chain: string;
    }
    interface Features {
      "solana:signTransaction": {
        signTransaction(input: Input): Promise<[{ signedTransaction: Uint8Array }]>;
      };
      "solana:signAndSendTransaction": {
        signAndSendTransaction(input: Input): Promise<[{ signature: Uint8Array }]>;
      };
    }
    const { sendToNetwork } = globalThis as unknown as {
      sendToNetwork(transaction: string): Promise<string>;
    };
    addEventListener("wallet-standard:register-wallet", (event) => {
      const { detail } = event as CustomEvent<(api: { register(wallet: unknown): void }) => void>;
      detail({
        register(wallet) {
          const { features } = wallet as { features: Features };
          const { signTransaction } = features["solana:signTransaction"];
          const sign = (input: Input) => signTransaction({ ...input, chain: "solana:practice" });
          features["solana:signTransaction"].signTransaction = sign;
          features["solana:signAndSendTransaction"].signAndSendTransaction = async (input) => {
            const [{ signedTransaction }] = await sign(input);
            await sendToNetwork(btoa(String.fromCharCode(...signedTransaction)));
            return [{ signature: signedTransaction.slice(1, 65) }];
          };
        },
      });
    });
  });
}

/** Closes the position by the owner's clicks, as he is offered it before the trading key is taken away. */
async function closeByOwner({ page, network, vault }: Life): Promise<void> {
  await page.getByRole("tab", { name: "Manage Funds" }).click();
  await page.getByRole("button", { name: "Revoke the trading key" }).click();
  const warning = page.getByRole("dialog", { name: "A position is open" });
  await warning.getByRole("button", { name: "Close it first" }).click();
  const asked = page.getByRole("button", { name: "Approve in Practice wallet" });
  const done = page.getByText("Positions closed", { exact: true });
  for (;;) {
    await expect(asked.or(done).first()).toBeVisible({ timeout: patient(120_000) });
    if (await done.isVisible()) break;
    // No source of candles answers here, so an order's price has nothing to be compared with
    const word = page.getByLabel("Type ANYWAY to approve this price");
    const ready = page.locator("button:enabled", { hasText: "Approve in Practice wallet" });
    await expect(word.or(ready).first()).toBeVisible();
    if (await word.isVisible()) await word.fill("ANYWAY");
    await asked.click();
    await approveInWallet(page);
    await expect(asked).toBeHidden();
  }
  expect(accountOnChain(network, vault)).toMatchObject({ base: 0n, openOrders: 0 });
  // Taking the key away is offered next; this agent trades on
  const revoking = page.getByRole("dialog", { name: "Revoke the trading key" });
  await revoking.getByRole("button", { name: "Cancel" }).click();
}

/** Fires an alert, waits until its position is there, and compares the trade log with the chain's events. */
async function trade(
  life: Life,
  alert: keyof typeof RULES,
  isReached: (base: bigint) => boolean,
): Promise<void> {
  const { agent, network, page, vault } = life;
  const filled = async () => (await agent.log()).filter(({ status }) => status === "success");
  const before = (await filled()).length;
  expect((await agent.fire(alert, new Date().toISOString())).status).toBeLessThan(300);
  await expectSame(life, isReached);
  await expect.poll(async () => (await filled()).length).toBeGreaterThan(before);
  for (const { size, signature = "" } of await filled()) {
    expect(size).toBe(await filledOnChain(network, vault, signature));
  }
  await page.getByRole("tab", { name: "Trade Log" }).click();
  const row = page.getByRole("table").getByRole("row").nth(1);
  await expect(async () => {
    const [newest] = await filled();
    await expect(row).toContainText(newest?.size ?? "", { timeout: 1_000 });
  }).toPass({ timeout: patient(60_000) });
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
      const agent = await trader.createAgent("Agent", {
        network: "devnet",
        rules: Object.entries(RULES).map(([alertName, action]) => onAlert(alertName, action)),
      });
      const { vault } = keys.of(agent.botId);
      const life: Life = { network, trader, agent, vault, page };
      await walletOn(page, network);
      await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
      expect(accountOnChain(network, vault).deposit).toBe(500n * DOLLAR);
      await expectSame(life, (base) => base === 0n);

      await trade(life, "long", (base) => base > 0n);
      await network.exchange.setPrice(157n * DOLLAR);
      await expectSame(life, (base) => base > 0n);
      await trade(life, "short", (base) => base < 0n);
      await trade(life, "cover", (base) => base === 0n);

      await trade(life, "long", (base) => base > 0n);
      await closeByOwner(life);
      await expectSame(life, (base) => base === 0n);

      await trade(life, "long", (base) => base > 0n);
      await trader.call("PUT", `/api/agents/${agent.botId}/trading-status`, {
        tradingStatus: "off",
      });
      await expectSame(life, (base) => base === 0n);
      const most = async () => (await agent.position()) as unknown as { withdrawable: string };
      // The PnL of a closed position settles later and changes the deposit
      const isSettled = async () => {
        const { deposit, pnl } = accountOnChain(network, vault);
        return pnl === 0n && (await most()).withdrawable === formatDecimal(deposit, 6);
      };
      await expect.poll(isSettled, { message: "all of it is offered" }).toBe(true);
      const status = async () =>
        (
          await trader.call<{ tradingStatus: string }>(
            "GET",
            `/api/agents/get-agentBychatId/${agent.chatId}`,
          )
        ).tradingStatus;
      await expect.poll(status).toBe("off");
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
