import { test } from "@playwright/test";
import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";

/** What the tests of a file share; there from the first of them on. */
export interface Shared {
  readonly product: Product;
  readonly trader: Trader;
  readonly agent: FundedAgent;
}

/** Starts a product of the file's own before its tests, with a trader and a funded agent, and ends it after them. */
export function shareFundedAgent(name = "Agent ** SOL-1h"): Shared {
  const dataDir = makeDataDir();
  const shared: { -readonly [K in keyof Shared]?: Shared[K] } = {};
  test.beforeAll(async () => {
    shared.product = await startProduct(dataDir.path, await freePort());
    shared.trader = await createTrader(shared.product.url);
    await shared.trader.takePracticeMoney("5", "1000");
    shared.agent = await shared.trader.createAgent(name);
  });
  test.afterAll(async () => {
    await shared.product?.stop();
    dataDir.remove();
  });
  return shared as Shared;
}
