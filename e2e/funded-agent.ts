import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import type { Product } from "./product.ts";
import { test } from "./running-product.ts";

/** State shared by a file's tests, available from the first test on. */
export interface Shared {
  readonly product: Product;
  readonly trader: Trader;
  readonly agent: FundedAgent;
}

/** Gives a file a trader and a funded agent of its own before its tests. */
export function shareFundedAgent(name = "Agent ** SOL-1h"): Shared {
  const shared: { -readonly [K in keyof Shared]?: Shared[K] } = {};
  test.beforeAll(async ({ running }) => {
    shared.product = running.product;
    shared.trader = await createTrader(shared.product.url);
    await shared.trader.takePracticeMoney("5", "1000");
    shared.agent = await shared.trader.createAgent(name);
  });
  return shared as Shared;
}
