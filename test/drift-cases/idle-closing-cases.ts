import { expect } from "vitest";
import type { TransactionOutcome } from "../../src/solana/chain.ts";
import { cancelOrders } from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { ORDER_STATUS } from "../../src/venues/drift/layout-user.ts";
import { tradingKey } from "../squads-bench.ts";
import {
  type DriftCase,
  type ExchangeBench,
  expectError,
  readUser,
  SOL_BASE,
  START_PRICE,
  trade as take,
  user,
  withAccount,
  withSol,
} from "./case.ts";
import { AUCTION_SLOTS, leftOver, restingOf } from "./resting-orders.ts";
import { openVenue } from "./venue-bench.ts";

/** Has the owner's close land when the trading key has closed already; the exchange asks for no auction afterwards. */
async function closeTooLate(
  bench: ExchangeBench,
  { trade, prepareClose }: Awaited<ReturnType<typeof openVenue>>,
): Promise<TransactionOutcome> {
  await trade({ side: "long" });
  await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
  const landClose = await prepareClose();
  await bench.setExchange({ minPerpAuctionDuration: 0 });
  await trade({ side: "short", reduceOnly: true });
  return landClose();
}

/** Cases of closing orders with nothing to close, and of entries that take them away. */
export const IDLE_CLOSING_CASES: readonly DriftCase[] = [
  {
    name: "a closing order that rests when nothing is left to close would close the next position",
    async run(bench) {
      await withAccount(bench);
      const opened = await openVenue(bench);
      const { account, venue, land, pass, base } = opened;
      const resting = restingOf(venue.reportOrder(account, await closeTooLate(bench, opened)));
      await expectError(bench.send([tradingKey], [take("long", SOL_BASE)]), null);
      expect(await base()).toBe(SOL_BASE);
      await pass(100);
      const ready = await venue.followOrder?.(account, resting);
      if (ready?.kind !== "fillable") throw new Error(`Expected a fillable order: ${ready?.kind}`);
      expect((await land(ready.transaction.instructions)).error).toBeNull();
      expect(await base()).toBe(0n);
    },
  },
  {
    name: "an entry cancels such a closing order in its own transaction",
    async run(bench) {
      await withAccount(bench);
      const opened = await openVenue(bench);
      const { account, venue, trade, land, pass, base } = opened;
      expect((await closeTooLate(bench, opened)).error).toBeNull();
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 1, positions: [] });
      await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
      const resting = restingOf(await trade({ side: "long" }));
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 1 });
      await pass(100);
      const ready = await venue.followOrder?.(account, resting);
      if (ready?.kind !== "fillable") throw new Error(`Expected a fillable order: ${ready?.kind}`);
      expect((await land(ready.transaction.instructions)).error).toBeNull();
      expect(await base()).toBe(SOL_BASE);
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0 });
    },
  },
  {
    name: "an entry does not cancel orders that the owner placed while it was pending",
    async run(bench) {
      await withAccount(bench);
      const opened = await openVenue(bench);
      const { account, venue, build, land, base } = opened;
      expect((await closeTooLate(bench, opened)).error).toBeNull();
      const entry = await build({ side: "long" });
      await expectError(bench.send([tradingKey], [leftOver()]), null);
      const report = venue.reportOrder(account, await land(entry.instructions));
      expect(report).toMatchObject({ kind: "filled", fills: [{ baseSize: SOL_BASE }] });
      expect(await base()).toBe(SOL_BASE);
      const { orders } = await readUser(bench);
      expect(orders.filter(({ status }) => status === ORDER_STATUS.open)).toMatchObject([
        { price: START_PRICE / 2n, reduceOnly: false },
      ]);
    },
  },
  {
    name: "an entry is filled when somebody else has cancelled the closing meanwhile",
    async run(bench) {
      await withAccount(bench);
      const opened = await openVenue(bench);
      const { account, venue, build, land } = opened;
      expect((await closeTooLate(bench, opened)).error).toBeNull();
      const entry = await build({ side: "long" });
      const canceling = cancelOrders(IDS, user, tradingKey.address, withSol);
      await expectError(bench.send([tradingKey], [canceling]), null);
      const report = venue.reportOrder(account, await land(entry.instructions));
      expect(report).toMatchObject({ kind: "filled", fills: [{ baseSize: SOL_BASE }] });
    },
  },
];
