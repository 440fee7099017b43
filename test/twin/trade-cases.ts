import { ORDER_TYPE } from "../../src/venues/drift/instruction-arguments.ts";
import { type DriftCase, SOL_BASE, trade } from "../drift-cases/case.ts";
import { cancel, cancelById, high, low, place, sendEach, short, take } from "./orders.ts";
import { putTrader } from "./traders.ts";

/** Cases of orders sent by the product and by its own keeper. */
export const ORDER_CASES: readonly DriftCase[] = [
  {
    name: "a long that fills at once",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(bench, trade("long", 2n * SOL_BASE));
    },
  },
  {
    name: "long, more, less, flipped, closed, reduce-only without a position",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(
        bench,
        trade("long", 2n * SOL_BASE),
        trade("long", SOL_BASE),
        trade("short", SOL_BASE / 2n),
        trade("short", 5n * SOL_BASE),
        trade("long", 9n * SOL_BASE, { reduceOnly: true }),
        trade("long", SOL_BASE, { reduceOnly: true }),
        trade("short", SOL_BASE),
      );
    },
  },
  {
    name: "immediate-or-cancel market and oracle orders",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(
        bench,
        take({ orderType: ORDER_TYPE.market, price: high }),
        take({ orderType: ORDER_TYPE.market, price: 0n }),
        take({ orderType: ORDER_TYPE.oracle, price: 0n }),
        place({ bitFlags: 1 }),
      );
    },
  },
  {
    name: "orders that rest, and are cancelled",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(
        bench,
        place({ price: low }),
        place({ price: high, direction: short }),
        place({ orderType: ORDER_TYPE.market, price: high }),
        place({ orderType: ORDER_TYPE.oracle, price: 0n, direction: short }),
        place({ price: high }),
        place({ price: low, postOnly: 1 }),
        place({ price: high, postOnly: 1 }),
        place({ price: high, postOnly: 2 }),
        place({ price: high, postOnly: 3 }),
        cancelById(1, 1, 3, 99),
        cancelById(),
        cancel(),
        cancel(),
        cancelById(2),
      );
    },
  },
];
