import { AccountRole, type Instruction } from "@solana/kit";
import { ORDER_TYPE } from "../../src/venues/drift/instruction-arguments.ts";
import { fillPerpOrder, placeAndTakePerpOrder } from "../../src/venues/drift/instructions.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import { MARKET_STATUS } from "../../src/venues/drift/layout-spot-market.ts";
import { EXCHANGE_STATUS } from "../../src/venues/drift/layout-state.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import {
  as,
  type DriftCase,
  type ExchangeBench,
  noMarkets,
  orderParams,
  SOL_BASE,
  START_PRICE,
  trade,
  user,
  withSol,
} from "../drift-cases/case.ts";
import { SOL_ORACLE } from "../drift-cases/initialised-exchange.ts";
import { tradingKey, owner, stranger } from "../squads-bench.ts";
import { keeperFill } from "./keeper.ts";
import { cancel, high, low, place, sendEach, short, take } from "./orders.ts";
import { putTrader } from "./traders.ts";

const accountsOf = (instruction: Instruction) => [...(instruction.accounts ?? [])];

/** Ages SOL's price: posted that many slots ago, of this uncertainty. */
async function agePrice(bench: ExchangeBench, slots: bigint, conf = START_PRICE / 10_000n) {
  const { slot } = await bench.time();
  await bench.edit(SOL_ORACLE, (account) => ({
    ...account,
    data: priceUpdateLayout.encode({
      ...priceUpdateLayout.decode(account.data),
      postedSlot: slot - slots,
      conf,
    }),
  }));
}

const ownFill = (orderId: number) => fillPerpOrder(IDS, user, tradingKey.address, orderId, withSol);

const waiting = (order: Parameters<typeof place>[0] = {}) =>
  place({
    orderType: ORDER_TYPE.market,
    price: high,
    auctionDuration: 10,
    auctionStartPrice: START_PRICE,
    auctionEndPrice: high,
    ...order,
  });

/** Cases of a thief's or a careless owner's instructions, and of refusals that follow from the exchange's state. */
export const CLUMSY_CASES: readonly DriftCase[] = [
  {
    name: "the wrong keys and accounts",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await putTrader(bench, 1_000n, stranger.address);
      const order = trade("long", SOL_BASE);
      const accounts = accountsOf(order);
      await bench.send([stranger], [trade("long", SOL_BASE, { by: stranger })]);
      await bench.send([owner], [trade("long", SOL_BASE, { by: owner })]);
      await bench.send([tradingKey], [as(stranger.address, order)]);
      for (const [at, meta] of accounts.entries()) {
        if (meta.address === tradingKey.address) continue;
        await sendEach(
          bench,
          { ...order, accounts: accounts.toSpliced(at, 1) },
          { ...order, accounts: accounts.toSpliced(at, 0, meta) },
          {
            ...order,
            accounts: accounts.with(at, { ...meta, role: AccountRole.READONLY }),
          },
        );
      }
      await sendEach(bench, { ...order, accounts: accounts.slice(0, 4) });
    },
  },
  {
    name: "markets not passed, passed in the wrong order, and missing",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(
        bench,
        take({}, noMarkets),
        take({}, { ...withSol, oracles: [] }),
        take({}, { ...withSol, spotMarkets: [] }),
        take({}, { ...withSol, oracles: [SOL_ORACLE, SOL_ORACLE] }),
        take({}, { ...withSol, perpMarkets: [...withSol.perpMarkets, ...withSol.perpMarkets] }),
        take(
          {},
          { ...withSol, spotMarkets: withSol.perpMarkets, perpMarkets: withSol.spotMarkets },
        ),
        take({ marketIndex: 1 }),
        take({ marketType: 0 }),
        place({ price: low }),
        place({ price: low }, { ...withSol, oracles: [] }),
        cancel(noMarkets),
        cancel({ ...withSol, oracles: [] }),
      );
    },
  },
  {
    name: "sizes that are too small, off the step, or zero",
    async run(bench) {
      await putTrader(bench, 1_000n);
      for (const baseAssetAmount of [0n, 1n, 9_999_999n, 10_000_000n, 10_000_001n, 10_500_000n]) {
        await sendEach(bench, take({ baseAssetAmount, price: high }));
      }
      await bench.setMarket((market) => ({
        ...market,
        amm: { ...market.amm, minOrderSize: SOL_BASE },
      }));
      await sendEach(
        bench,
        take({ baseAssetAmount: SOL_BASE / 2n, price: high }),
        take({ baseAssetAmount: SOL_BASE / 2n, price: low, reduceOnly: true, direction: short }),
        take({ baseAssetAmount: 33n * SOL_BASE, price: high }),
      );
    },
  },
  {
    name: "as much as the collateral covers, and then the other side",
    async run(bench) {
      await putTrader(bench, 1_000n);
      const baseAssetAmount = 2n ** 64n - 1n;
      await sendEach(
        bench,
        take({ baseAssetAmount, price: high }),
        take({ baseAssetAmount, price: high }),
        place({ price: low, baseAssetAmount: SOL_BASE }),
        take({ baseAssetAmount, price: low, direction: short }),
        take({ baseAssetAmount, price: low, direction: short }),
        take({ baseAssetAmount, price: high, reduceOnly: true }),
        take({ baseAssetAmount, price: high }),
      );
    },
  },
  {
    name: "a price 10, 11 and 121 slots old, and an uncertain one",
    async run(bench) {
      await putTrader(bench, 1_000n);
      for (const slots of [9n, 10n, 119n, 120n]) {
        await agePrice(bench, slots);
        await sendEach(bench, trade("long", SOL_BASE), place({ price: low }), cancel());
      }
      await agePrice(bench, 0n, START_PRICE / 20n);
      await sendEach(bench, trade("short", SOL_BASE));
    },
  },
  {
    name: "an exchange paused partly and completely, and with unknown bits",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(bench, place({ price: low }));
      for (const exchangeStatus of [...Object.values(EXCHANGE_STATUS), 255, 0]) {
        await bench.setExchange({ exchangeStatus });
        await sendEach(bench, trade("long", SOL_BASE), place({ price: low }), ownFill(1), cancel());
      }
    },
  },
  {
    name: "a market in every state",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(bench, trade("long", SOL_BASE));
      for (const status of Object.values(MARKET_STATUS)) {
        await bench.setMarket((market) => ({ ...market, status }));
        await sendEach(
          bench,
          trade("long", SOL_BASE),
          trade("short", SOL_BASE / 2n, { reduceOnly: true }),
          place({ price: low }),
          cancel(),
        );
      }
    },
  },
  {
    name: "thirty-two orders and one more, all cancelled",
    async run(bench) {
      await putTrader(bench, 10_000n);
      for (let count = 0; count < 33; count += 1) {
        await sendEach(bench, place({ price: low - BigInt(count) * 100n, userOrderId: count }));
      }
      await sendEach(bench, trade("long", SOL_BASE), place({ price: low, userOrderId: 7 }));
      await sendEach(bench, cancel(), cancel());
    },
  },
  {
    name: "orders that wait for their auction, filled by their owner and by a keeper",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await putTrader(bench, 1_000n, stranger.address);
      await bench.setExchange({ minPerpAuctionDuration: 10 });
      await sendEach(bench, trade("long", SOL_BASE), waiting(), ownFill(1));
      await bench.send([stranger], [keeperFill(1)]);
      for (let slot = 0; slot < 12; slot += 1) bench.nextSlot();
      await agePrice(bench, 0n);
      await sendEach(
        bench,
        ownFill(1),
        ownFill(1),
        ownFill(0),
        waiting({ direction: short, price: low, auctionEndPrice: low }),
      );
      for (let slot = 0; slot < 12; slot += 1) bench.nextSlot();
      await agePrice(bench, 0n);
      await bench.send([stranger], [keeperFill(null)]);
      await bench.send([stranger], [keeperFill(99)]);
    },
  },
  {
    name: "expired orders, with a longer time for the owner of a limit order",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await putTrader(bench, 1_000n, stranger.address);
      const { unixTime } = await bench.time();
      const soon = unixTime + 20n;
      await sendEach(
        bench,
        take({ price: high, maxTs: unixTime - 1n }),
        place({ price: low, maxTs: unixTime - 1n }),
        place({ price: low, maxTs: soon }),
        place({ price: low, maxTs: soon }),
        waiting({ maxTs: soon, price: 0n, auctionEndPrice: START_PRICE }),
      );
      bench.advance(25);
      await agePrice(bench, 0n);
      await sendEach(bench, ownFill(1), ownFill(3));
      await bench.send([stranger], [keeperFill(2)]);
      bench.advance(25);
      await agePrice(bench, 0n);
      await bench.send([stranger], [keeperFill(2)]);
      await sendEach(bench, ownFill(1), place({ price: low }));
    },
  },
  {
    name: "an hour with funding, and its payment",
    async run(bench) {
      await putTrader(bench, 1_000n);
      await sendEach(bench, trade("long", 2n * SOL_BASE));
      bench.advance(3_700);
      await agePrice(bench, 0n);
      await sendEach(bench, trade("long", SOL_BASE), trade("short", 5n * SOL_BASE));
      bench.advance(7_300);
      await agePrice(bench, 0n);
      await sendEach(bench, trade("short", SOL_BASE), trade("long", SOL_BASE));
    },
  },
  {
    name: "prices that jump: bands, averages and the curve's price",
    async run(bench) {
      await putTrader(bench, 1_000n);
      const jump = async (price: bigint) => {
        const { slot } = await bench.time();
        await bench.edit(SOL_ORACLE, (account) => ({
          ...account,
          data: priceUpdateLayout.encode({
            ...priceUpdateLayout.decode(account.data),
            price,
            postedSlot: slot,
          }),
        }));
      };
      for (const perMille of [900n, 1_100n, 700n, 1_600n, 2_400n, 10_000n, 100n, 0n]) {
        await jump((START_PRICE * perMille) / 1_000n);
        await sendEach(
          bench,
          take({ price: 2n ** 40n }),
          take({ price: 1_000_000n, direction: short }),
        );
      }
    },
  },
  {
    name: "another's account as one's own maker",
    async run(bench) {
      await putTrader(bench, 1_000n);
      const order = placeAndTakePerpOrder(
        IDS,
        user,
        tradingKey.address,
        orderParams({ price: high }),
        withSol,
      );
      const [, own, stats] = accountsOf(order);
      if (own === undefined || stats === undefined) throw new Error("An order without accounts");
      await sendEach(
        bench,
        { ...order, accounts: [...accountsOf(order), own, stats] },
        { ...order, accounts: [...accountsOf(order), own] },
        { ...order, accounts: [...accountsOf(order), stats, own] },
      );
    },
  },
];
