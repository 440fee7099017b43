import { DIRECTION, ORDER_TYPE } from "../../src/venues/drift/instruction-arguments.ts";
import { modifyOrderByUserId, type UserAccounts } from "../../src/venues/drift/instructions.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import { userLayout } from "../../src/venues/drift/layout-user.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { triggerOrderChange, triggerOrderParams } from "../../src/venues/drift/order-params.ts";
import { placePerpOrder } from "../../src/venues/drift/instructions.ts";
import {
  DOLLAR,
  type DriftCase,
  type ExchangeBench,
  SOL_BASE,
  START_PRICE,
  trade,
  user,
  userAddress,
  withSol,
} from "../drift-cases/case.ts";
import { SOL_ORACLE } from "../drift-cases/initialised-exchange.ts";
import { stranger, tradingKey } from "../squads-bench.ts";
import { keeperFill, keeperTrigger } from "./keeper.ts";
import { cancel, cancelById, high, place, sendEach } from "./orders.ts";
import { putTrader } from "./traders.ts";

const STOP = START_PRICE - 5n * DOLLAR;
const NUMBER = 100;

interface Stop {
  readonly price?: bigint;
  readonly baseSize?: bigint;
  readonly number?: number;
  readonly side?: "long" | "short";
  readonly triggersWhen?: "above" | "below";
  readonly reduceOnly?: boolean;
}

const partsOf = (stop: Stop) => {
  const { price = STOP, baseSize = 2n * SOL_BASE, side = "short", number = NUMBER } = stop;
  const worst = side === "short" ? (price * 95n) / 100n : (price * 105n) / 100n;
  const limit = worst - (worst % 100n);
  const { reduceOnly = true } = stop;
  return [
    { marketIndex: 0, side, baseSize, price: limit, reduceOnly },
    { userOrderId: number, triggerPrice: price, triggersWhen: stop.triggersWhen ?? "below" },
  ] as const;
};

const by = tradingKey.address;
const stopAt = (stop: Stop = {}) =>
  placePerpOrder(IDS, user, by, triggerOrderParams(...partsOf(stop)), withSol);
const change = (stop: Stop, policy: 0 | 1 = 1) =>
  modifyOrderByUserId(
    IDS,
    user,
    by,
    stop.number ?? NUMBER,
    { ...triggerOrderChange(...partsOf(stop)), policy },
    withSol,
  );

/** Sets what the oracle says now without moving the curve. */
async function say(
  bench: ExchangeBench,
  price: bigint,
  { age = 0n, conf = price / 5_000n }: { readonly age?: bigint; readonly conf?: bigint } = {},
): Promise<void> {
  const { slot, unixTime } = await bench.time();
  await bench.edit(SOL_ORACLE, (account) => ({
    ...account,
    data: priceUpdateLayout.encode({
      ...priceUpdateLayout.decode(account.data),
      price,
      conf,
      publishTime: unixTime,
      postedSlot: slot - age,
    }),
  }));
}

const trigger = (bench: ExchangeBench, orderId: number, of?: UserAccounts) =>
  bench.send([stranger], [keeperTrigger(orderId, of)]);
const fill = (bench: ExchangeBench, orderId: number) =>
  bench.send([stranger], [keeperFill(orderId)]);

async function passAuction(bench: ExchangeBench): Promise<void> {
  for (let slot = 0; slot < 200; slot += 1) bench.nextSlot();
}

/** A position with a keeper beside it. */
async function holding(bench: ExchangeBench, side: "long" | "short" = "long"): Promise<void> {
  await putTrader(bench, 1_000n);
  await putTrader(bench, 100n, stranger.address);
  await bench.give(stranger.address, SOL_BASE);
  await sendEach(bench, trade(side, 2n * SOL_BASE));
}

/** Cases of protective orders: placed, changed, cancelled, triggered by a third account, filled. */
export const TRIGGER_CASES: readonly DriftCase[] = [
  {
    name: "protective orders placed, changed, cancelled",
    async run(bench) {
      await holding(bench);
      await sendEach(
        bench,
        stopAt(),
        stopAt({ number: 131, price: START_PRICE + 6n * DOLLAR, triggersWhen: "above" }),
        stopAt(),
        change({ price: STOP + DOLLAR }),
        change({ price: STOP + DOLLAR, baseSize: SOL_BASE }),
        change({ number: 7 }),
        change({ number: 7 }, 0),
        change({ price: 0n }),
        change({ baseSize: 0n }),
        cancelById(3),
        change({ price: STOP }),
        cancel(),
      );
    },
  },
  {
    name: "an entry and its protective orders in one transaction",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await bench.send(
        [tradingKey],
        [
          trade("long", 2n * SOL_BASE),
          stopAt(),
          stopAt({ number: 131, price: high + DOLLAR, triggersWhen: "above" }),
        ],
      );
    },
  },
  {
    name: "a change of an order of another type, which is refused",
    async run(bench) {
      await holding(bench);
      await sendEach(
        bench,
        place({ price: high, direction: DIRECTION.short, userOrderId: NUMBER }),
      );
      await sendEach(bench, change({}), cancel());
      const market = { orderType: ORDER_TYPE.triggerMarket, price: 0n, triggerPrice: STOP };
      const order = { triggerCondition: 1, direction: DIRECTION.short, reduceOnly: true };
      await sendEach(bench, place({ ...market, ...order, userOrderId: NUMBER }), change({}));
    },
  },
  ...(["long", "short"] as const).map((side): DriftCase => ({
    name: `a stop of a ${side} at its price, one tick beyond it, filled by a keeper`,
    async run(bench) {
      await holding(bench, side);
      const isLong = side === "long";
      const price = isLong ? STOP : START_PRICE + 5n * DOLLAR;
      const tick = isLong ? -100n : 100n;
      await sendEach(
        bench,
        stopAt({
          price,
          side: isLong ? "short" : "long",
          triggersWhen: isLong ? "below" : "above",
        }),
      );
      await bench.setPrice(price - tick);
      await trigger(bench, 2);
      await bench.setPrice(price);
      await trigger(bench, 2);
      await fill(bench, 2);
      await bench.setPrice(price + tick);
      await trigger(bench, 2);
      await trigger(bench, 2);
      await fill(bench, 2);
      await passAuction(bench);
      await bench.setPrice(price + tick);
      await fill(bench, 2);
      await fill(bench, 2);
      await trigger(bench, 2);
      await trigger(bench, 99);
    },
  })),
  {
    name: "a target, filled in parts, then a stop cut to what is left",
    async run(bench) {
      await holding(bench);
      const target = START_PRICE + 6n * DOLLAR;
      await sendEach(
        bench,
        stopAt({ number: 131, price: target, triggersWhen: "above", baseSize: SOL_BASE }),
        stopAt(),
      );
      await bench.setPrice(target + DOLLAR);
      await trigger(bench, 2);
      await passAuction(bench);
      await bench.setMarket((last) => ({
        ...last,
        amm: { ...last.amm, maxFillReserveFraction: 65_000 },
      }));
      await bench.setPrice(target + DOLLAR);
      await fill(bench, 2);
      await fill(bench, 2);
      await bench.setMarket((last) => ({
        ...last,
        amm: { ...last.amm, maxFillReserveFraction: 100 },
      }));
      await fill(bench, 2);
      await bench.setPrice(STOP - DOLLAR);
      await trigger(bench, 3);
      await passAuction(bench);
      await bench.setPrice(STOP - DOLLAR);
      await fill(bench, 3);
      await fill(bench, 3);
    },
  },
  {
    name: "a triggered stop with nothing, or less than a step, left to close",
    async run(bench) {
      await holding(bench);
      await sendEach(bench, stopAt(), stopAt({ number: 131, price: STOP - DOLLAR }));
      await bench.setPrice(STOP - 2n * DOLLAR);
      await trigger(bench, 2);
      await trigger(bench, 3);
      await sendEach(
        bench,
        trade("short", 2n * SOL_BASE, { reduceOnly: true, price: STOP - 2n * DOLLAR }),
      );
      await passAuction(bench);
      await bench.setPrice(STOP - 2n * DOLLAR);
      await fill(bench, 2);
      await sendEach(bench, change({ number: 131 }), cancel());
    },
  },
  {
    name: "prices too old, too uncertain or too volatile to trigger or to fill",
    async run(bench) {
      await holding(bench);
      await sendEach(bench, stopAt());
      await say(bench, START_PRICE / 7n);
      await trigger(bench, 2);
      await say(bench, STOP - DOLLAR, { conf: STOP / 20n, age: 500n });
      await trigger(bench, 2);
      await passAuction(bench);
      await say(bench, STOP - DOLLAR, { age: 500n });
      await fill(bench, 2);
      await say(bench, STOP - DOLLAR);
      await fill(bench, 2);
    },
  },
  {
    name: "a user in liquidation between trigger and fill, and out of it again",
    async run(bench) {
      await putTrader(bench, 70n);
      await putTrader(bench, 100n, stranger.address);
      await bench.give(stranger.address, SOL_BASE);
      await sendEach(bench, trade("long", 2n * SOL_BASE), stopAt());
      await bench.setPrice(STOP - DOLLAR);
      await trigger(bench, 2);
      await passAuction(bench);
      await bench.setExchange({ minPerpAuctionDuration: 0 });
      const low = START_PRICE - 28n * DOLLAR;
      await bench.setPrice(low);
      const flag = (status: number) =>
        bench.edit(userAddress, (account) => ({
          ...account,
          data: userLayout.encode({ ...userLayout.decode(account.data), status }),
        }));
      await flag(1);
      await fill(bench, 2);
      await sendEach(bench, stopAt({ number: 131 }), change({}));
      await bench.setPrice(START_PRICE);
      await sendEach(bench, stopAt({ number: 131, price: START_PRICE - DOLLAR }));
      await bench.setPrice(low);
      await flag(1);
      await trigger(bench, 3);
      await bench.setPrice(STOP - DOLLAR);
      await trigger(bench, 3);
      await fill(bench, 2);
    },
  },
  {
    name: "a trigger that would open, with and without the collateral for it",
    async run(bench) {
      await putTrader(bench, 100n);
      await putTrader(bench, 100n, stranger.address);
      await bench.give(stranger.address, SOL_BASE);
      const opening = { reduceOnly: false, triggersWhen: "below" } as const;
      await sendEach(
        bench,
        stopAt({ ...opening, baseSize: SOL_BASE }),
        stopAt({ ...opening, baseSize: 90n * SOL_BASE, number: 131 }),
        stopAt({ ...opening, baseSize: SOL_BASE, number: 162, side: "long" }),
      );
      await bench.setPrice(STOP - DOLLAR);
      for (const orderId of [1, 2, 3]) await trigger(bench, orderId);
      await sendEach(bench, cancel());
    },
  },
  {
    name: "32 orders, one more, and one after one was cancelled",
    async run(bench) {
      await holding(bench);
      const many = Array.from({ length: 33 }, (_, at) => stopAt({ number: NUMBER + at }));
      await sendEach(bench, ...many, cancelById(5), stopAt({ number: 200 }), cancel());
    },
  },
];
