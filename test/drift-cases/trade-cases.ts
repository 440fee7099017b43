import { expect } from "vitest";
import { EXCHANGE_STATUS } from "../../src/venues/drift/layout-state.ts";
import { parseOrderActionLog } from "../../src/venues/drift/order-action-record.ts";
import { tradingKey, owner, stranger } from "../squads-bench.ts";
import { openVenue } from "./venue-bench.ts";
import {
  bring,
  DOLLAR,
  type DriftCase,
  expectError,
  readPosition,
  readUser,
  settle,
  SOL_BASE,
  START_PRICE,
  take,
  trade,
  userAddress,
  withAccount,
} from "./case.ts";

const ALL_PAUSED = 127;

function onlyOne<T>(list: readonly T[]): T {
  const [first, ...more] = list;
  if (first === undefined || more.length > 0) throw new Error(`One was expected of ${list.length}`);
  return first;
}

/** Returns whether a fill is within 1 % of the expected quote units; curve and spread decide the exact amount. */
const near = (quote: bigint, expected: bigint): boolean =>
  quote > (expected * 99n) / 100n && quote < (expected * 101n) / 100n;

/** Cases of what the trading key can do and what it is refused. */
export const TRADE_CASES: readonly DriftCase[] = [
  {
    name: "the delegate goes long in one transaction, for a fee, and leaves no order",
    async run(bench) {
      await withAccount(bench);
      const { error, logs } = await bench.send([tradingKey], [trade("long", 2n * SOL_BASE)]);
      expect(error, logs.join("\n")).toBeNull();
      const position = await readPosition(bench);
      expect(position).toMatchObject({ baseAssetAmount: 2n * SOL_BASE, openOrders: 0 });
      const paid = -(position?.quoteEntryAmount ?? 0n);
      expect(near(paid, 2n * START_PRICE)).toBe(true);
      const filled = logs.flatMap((line) => parseOrderActionLog(line) ?? []).at(-1);
      expect(filled).toMatchObject({
        taker: userAddress,
        baseAssetAmountFilled: 2n * SOL_BASE,
        quoteAssetAmountFilled: paid,
      });
      const fee = filled?.takerFee ?? 0n;
      expect(fee > 0n && -(position?.quoteAssetAmount ?? 0n) === paid + fee).toBe(true);
      expect(await readUser(bench)).toMatchObject({ openOrders: 0, hasOpenOrder: false });
    },
  },
  {
    name: "the delegate goes short, and a reduce-only order closes no more than that",
    async run(bench) {
      await withAccount(bench);
      await expectError(bench.send([tradingKey], [trade("short", SOL_BASE)]), null);
      const position = await readPosition(bench);
      expect(position?.baseAssetAmount).toBe(-SOL_BASE);
      expect(near(position?.quoteEntryAmount ?? 0n, START_PRICE)).toBe(true);
      const closing = trade("long", 5n * SOL_BASE, { reduceOnly: true });
      await expectError(bench.send([tradingKey], [closing]), null);
      expect((await readPosition(bench))?.baseAssetAmount).toBe(0n);
    },
  },
  {
    name: "one order turns a long into a short",
    async run(bench) {
      await withAccount(bench);
      await expectError(bench.send([tradingKey], [trade("long", SOL_BASE)]), null);
      await expectError(bench.send([tradingKey], [trade("short", 3n * SOL_BASE)]), null);
      expect((await readPosition(bench))?.baseAssetAmount).toBe(-2n * SOL_BASE);
    },
  },
  {
    name: "a position's profit and loss are its own: reversal, settlement and partial close add nothing of the previous one",
    async run(bench) {
      await withAccount(bench);
      const { venue, account, trade: order, land, pass } = await openVenue(bench);
      const held = async () => {
        const { positions, portfolioValue } = await venue.accountState(account);
        return { ...onlyOne(positions), portfolioValue };
      };
      /** Returns whether the PnL is that of a position just opened: a loss of fee and spread, below 1 %. */
      const isFresh = (pnl: bigint, notional: bigint) => pnl < 0n && -pnl < notional / 100n;

      await order({ side: "long", baseSize: 2n * SOL_BASE });
      const lower = (START_PRICE * 9n) / 10n;
      await pass(1, lower);
      const lost = (await held()).unrealizedPnl;
      expect(lost < -30n * DOLLAR).toBe(true);

      await order({ side: "short", baseSize: 2n * SOL_BASE, price: lower, reduceOnly: true });
      await order({ side: "short", price: lower });
      const turned = await held();
      expect(turned).toMatchObject({ side: "short", baseSize: SOL_BASE });
      expect(isFresh(turned.unrealizedPnl, lower)).toBe(true);
      // The loss did not go away: it is in what the account is worth
      expect(turned.portfolioValue < 1_000n * DOLLAR - 30n * DOLLAR).toBe(true);

      await land([settle()]);
      expect((await held()).unrealizedPnl).toBe(turned.unrealizedPnl);

      await order({ side: "long", baseSize: SOL_BASE / 2n, price: lower, reduceOnly: true });
      expect(isFresh((await held()).unrealizedPnl, lower)).toBe(true);
    },
  },
  {
    name: "a limit price that the market does not reach fills nothing and leaves no order",
    async run(bench) {
      await withAccount(bench);
      const tooCheap = trade("long", SOL_BASE, { price: (START_PRICE * 9n) / 10n });
      await bench.send([tradingKey], [tooCheap]);
      expect(await readPosition(bench)).toBeUndefined();
      expect(await readUser(bench)).toMatchObject({ openOrders: 0 });
    },
  },
  {
    name: "more than the collateral covers is refused",
    async run(bench) {
      await withAccount(bench);
      // 33 SOL at 155 and 20 % need 1,023 dollars
      await expectError(
        bench.send([tradingKey], [trade("long", 33n * SOL_BASE)]),
        "Custom 6003 at 0",
      );
      expect(await readPosition(bench)).toBeUndefined();
    },
  },
  {
    name: "a stranger trades nothing",
    async run(bench) {
      await withAccount(bench);
      await expectError(
        bench.send([stranger], [trade("long", SOL_BASE, { by: stranger })]),
        "Custom 2003 at 0",
      );
    },
  },
  {
    name: "a paused exchange accepts no deposit, withdrawal or trade, and continues afterwards",
    async run(bench) {
      await withAccount(bench);
      await bench.setExchange({ exchangeStatus: ALL_PAUSED });
      await expectError(bench.send([owner], [bring(DOLLAR)]), "Custom 6024 at 0");
      await expectError(bench.send([owner], [take(DOLLAR)]), "Custom 6024 at 0");
      await expectError(bench.send([tradingKey], [trade("long", SOL_BASE)]), "Custom 6024 at 0");
      await bench.setExchange({ exchangeStatus: 0 });
      await expectError(bench.send([owner], [bring(DOLLAR)]), null);
      await expectError(bench.send([tradingKey], [trade("long", SOL_BASE)]), null);
    },
  },
  {
    name: "deposits and withdrawals pause each by its own bit",
    async run(bench) {
      await withAccount(bench);
      await bench.setExchange({ exchangeStatus: EXCHANGE_STATUS.depositPaused });
      await expectError(bench.send([owner], [bring(DOLLAR)]), "Custom 6024 at 0");
      await expectError(bench.send([owner], [take(DOLLAR)]), null);
      await bench.setExchange({ exchangeStatus: EXCHANGE_STATUS.withdrawPaused });
      await expectError(bench.send([owner], [bring(DOLLAR)]), null);
      await expectError(bench.send([owner], [take(DOLLAR)]), "Custom 6024 at 0");
    },
  },
  {
    name: "longs pay hourly funding",
    practiceOnly: "the real rate follows averages of the mark price that keepers write over hours",
    async run(bench) {
      await withAccount(bench);
      await expectError(bench.send([tradingKey], [trade("long", 2n * SOL_BASE)]), null);
      const before = (await readPosition(bench))?.quoteAssetAmount ?? 0n;
      bench.advance(10 * 3_600);
      await bench.setPrice(START_PRICE);
      await bench.send([tradingKey], [trade("long", SOL_BASE / 100n, { price: DOLLAR })]);
      // 310 dollars at 0.00125 % for ten hours
      expect(((await readPosition(bench))?.quoteAssetAmount ?? 0n) - before).toBe(-38_750n);
    },
  },
];
