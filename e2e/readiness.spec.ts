import { randomBytes } from "node:crypto";
import { expect, test } from "@playwright/test";
import { openPracticeBench } from "../test/chain-bench.ts";
import { wrapChain } from "../test/wrap-chain.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { startRpcServer } from "../test/rpc-server.ts";
import { createTrader } from "../test/trader.ts";
import { GENESIS_HASHES } from "../src/solana/rpc-network.ts";
import { findViolations } from "./accessibility.ts";
import { approveInWallet, openAs } from "./page.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";

/** Starts the product with practice and a network of real nodes, which a node of this machine stands for. */
async function startWithNode() {
  const folder = makeDataDir();
  const { chain } = await openPracticeBench();
  const node = await startRpcServer(
    wrapChain(chain, () => ({ genesisHash: async () => GENESIS_HASHES.mainnet })),
  );
  const product = await startProduct(folder.path, await freePort(), {
    NETWORKS: "practice,mainnet",
    RPC_URL_MAINNET: node.url,
    DELEGATE_SECRET_FILE: writeKeyFile(folder.path),
    SESSION_SECRET: randomBytes(32).toString("hex"),
  });
  return {
    url: product.url,
    async stop() {
      await product.stop();
      await node.close();
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
    await agent.fire("enter");
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
    await expect(banner.getByText("Mainnet", { exact: true })).toBeVisible();
    const shadow = page.getByRole("region", { name: "Shadow" });
    await shadow.getByRole("button", { name: "Check" }).click();
    await expect(shadow.getByText("It has not traded yet.")).toBeVisible();

    const live = await trader.call<{ agentName: string; tradingStatus: string; number?: number }>(
      "GET",
      `/api/agents/get-agentBychatId/${page.url().split("/chat/")[1]?.slice(0, 32)}`,
    );
    expect(live).toMatchObject({
      agentName: "Dip live",
      network: "mainnet",
      tradingStatus: "off",
      positionSizePercent: 10,
      limits: { dayLossBps: 1_000 },
    });
    expect(live.number).toBeUndefined();
  } finally {
    await product.stop();
  }
});
