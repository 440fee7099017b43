import { DIRECTION, ORDER_TYPE } from "../../src/venues/drift/instruction-arguments.ts";
import {
  cancelOrders,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_PROFILE as IDS } from "../../src/venues/drift/profile.ts";
import type { OrderParams } from "../../src/venues/drift/instruction-arguments.ts";
import type { Instruction } from "@solana/kit";
import {
  type DriftCase,
  type ExchangeBench,
  orderParams,
  SOL_BASE,
  START_PRICE,
  trade,
  user,
  withSol,
} from "../drift-cases/case.ts";
import { delegate } from "../squads-bench.ts";
import { putTrader } from "./traders.ts";

const take = (order: Partial<OrderParams> = {}, markets = withSol) =>
  placeAndTakePerpOrder(IDS, user, delegate.address, orderParams(order), markets);
const place = (order: Partial<OrderParams> = {}, markets = withSol) =>
  placePerpOrder(IDS, user, delegate.address, orderParams({ bitFlags: 0, ...order }), markets);
const cancel = () => cancelOrders(IDS, user, delegate.address, withSol);

async function each(bench: ExchangeBench, ...instructions: readonly Instruction[]) {
  for (const instruction of instructions) await bench.send([delegate], [instruction]);
}

const high = (START_PRICE * 101n) / 100n;
const low = (START_PRICE * 99n) / 100n;
const short = DIRECTION.short;

export const ORDER_CASES: readonly DriftCase[] = [
  {
    name: "a long that fills at once",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await each(bench, trade("long", 2n * SOL_BASE));
    },
  },
  {
    name: "long, more, less, flipped, closed, reduce-only without a position",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await each(
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
    name: "market and oracle orders that are immediate-or-cancel",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await each(
        bench,
        take({ orderType: ORDER_TYPE.market, price: high }),
        take({ orderType: ORDER_TYPE.market, price: 0n }),
        take({ orderType: ORDER_TYPE.oracle, price: 0n }),
        place({ bitFlags: 1 }),
      );
    },
  },
  {
    name: "orders that wait, and are canceled",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await each(
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
        cancel(),
        cancel(),
      );
    },
  },
];
