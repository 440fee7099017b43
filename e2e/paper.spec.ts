import { expect, test } from "@playwright/test";
import { startPriceServer } from "../test/price-server.ts";
import { createTrader } from "../test/trader.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";

interface Deployment {
  readonly networks: readonly {
    readonly network: string;
    readonly prices?: { readonly assets: readonly { readonly missing: string | null }[] };
  }[];
}

test("an agent on paper enters, its exit waits while there are no prices, and fills once they are back", async () => {
  const server = await startPriceServer({ now: () => Date.now() });
  const ticking = setInterval(() => void server.push(), 500);
  const folder = makeDataDir();
  const product = await startProduct(folder.path, await freePort(), {
    NETWORKS: "practice,paper",
    PRICE_SOURCES: ["pyth", "binance", "bybit"].map((name) => `${name}=${server.origin}`).join(","),
  });
  const missing = async () => {
    const answer = await fetch(`${product.url}/api/deployment`);
    const { networks } = (await answer.json()) as Deployment;
    const paper = networks.find(({ network }) => network === "paper");
    return paper?.prices?.assets[0]?.missing;
  };
  const now = () => new Date().toISOString();
  try {
    await expect.poll(missing, { timeout: 30_000 }).toBeNull();
    const trader = await createTrader(product.url);
    await trader.call("POST", "/api/practice/faucet", { sol: "5", usdc: "1000", network: "paper" });
    const agent = await trader.createAgent("Paper ** SOL-1h", { network: "paper" });
    const held = async () => (await agent.position()).position;
    await agent.fire("enter", now());
    await expect.poll(held, { timeout: 60_000 }).not.toBe("0");
    const position = await held();

    server.misbehave("slow");
    await expect.poll(missing, { timeout: 60_000 }).toBe("stale");
    await agent.fire("exit", now());
    const statuses = async () => (await agent.log()).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 60_000 }).toContain("pending");
    expect(await held()).toBe(position);

    server.misbehave(null);
    await expect.poll(held, { timeout: 180_000 }).toBe("0");
  } finally {
    clearInterval(ticking);
    await product.stop();
    await server.close();
    folder.remove();
  }
});
