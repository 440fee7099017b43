import { expect } from "vitest";
import { OrderRefusedError } from "../../src/venues/placed-order.ts";
import { tradingKey } from "../squads-bench.ts";
import { type DriftCase, expectError, SOL_BASE, START_PRICE, withAccount } from "./case.ts";
import { IDLE_CLOSING_CASES } from "./idle-closing-cases.ts";
import { PROTECTIVE_CASES } from "./protective-cases.ts";
import { AUCTION_SLOTS, leftOver, restingOf } from "./resting-orders.ts";
import { openVenue } from "./venue-bench.ts";

/** Cases of orders as the venue builds them, on an exchange without auctions. */
export const TAKING_CASES: readonly DriftCase[] = [
  {
    name: "an entry is filled at once within its price, and the fill is read from its logs",
    async run(bench) {
      await withAccount(bench);
      const { trade, base } = await openVenue(bench);
      for (const side of ["long", "short"] as const) {
        const report = await trade({ side });
        expect(report).toMatchObject({ kind: "filled", fills: [{ baseSize: SOL_BASE }] });
        if (report.kind !== "filled") return;
        const [fill] = report.fills;
        const price = fill?.price ?? 0n;
        expect(price > (START_PRICE * 99n) / 100n && price < (START_PRICE * 101n) / 100n).toBe(
          true,
        );
        expect((fill?.fee ?? 0n) > 0n).toBe(true);
        expect(await base()).toBe(side === "long" ? SOL_BASE : 0n);
      }
    },
  },
  {
    name: "a closing leaves nothing, and what the position does not hold is not sold",
    async run(bench) {
      await withAccount(bench);
      const { account, trade, base, venue } = await openVenue(bench);
      await trade({ side: "short" });
      const report = await trade({ side: "long", reduceOnly: true });
      expect(report).toMatchObject({ kind: "filled", fills: [{ baseSize: SOL_BASE }] });
      expect(await base()).toBe(0n);
      await trade({ side: "short" });
      const more = await trade({ side: "long", reduceOnly: true, baseSize: 2n * SOL_BASE });
      expect(more).toMatchObject({ kind: "partially_filled", fills: [{ baseSize: SOL_BASE }] });
      expect(await venue.accountState(account)).toMatchObject({ positions: [], openOrderCount: 0 });
    },
  },
  {
    name: "the owner closes in one step beside any resting orders",
    async run(bench) {
      await withAccount(bench);
      const { account, trade, base, ownerCloses, venue } = await openVenue(bench);
      await trade({ side: "long" });
      await expectError(bench.send([tradingKey], [leftOver()]), null);
      expect((await ownerCloses()).error).toBeNull();
      expect(await base()).toBe(0n);
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0 });
      expect((await venue.planClose(account)).asVault).toEqual([]);
    },
  },
  {
    name: "an order is rounded down to the market's step, and one below its smallest size is not built",
    async run(bench) {
      await withAccount(bench);
      await bench.setMarket((market) => ({
        ...market,
        amm: { ...market.amm, orderStepSize: 100_000_000n, minOrderSize: 100_000_000n },
      }));
      const { trade, build } = await openVenue(bench);
      expect(await trade({ side: "long", baseSize: 1_299_999_999n })).toMatchObject({
        kind: "filled",
        fills: [{ baseSize: 1_200_000_000n }],
      });
      await expect(build({ side: "long", baseSize: 99_999_999n })).rejects.toThrow(
        new OrderRefusedError("below_minimum", "0 of at least 100000000"),
      );
    },
  },
  {
    name: "an entry is not built while another order of the account is alive",
    async run(bench) {
      await withAccount(bench);
      const { build } = await openVenue(bench);
      await expectError(bench.send([tradingKey], [leftOver()]), null);
      await expect(build({ side: "long" })).rejects.toThrow(new OrderRefusedError("order_alive"));
    },
  },
  {
    name: "a closing behind 31 orders that rest on the account",
    async run(bench) {
      await withAccount(bench);
      const { account, trade, base, venue } = await openVenue(bench);
      await trade({ side: "long" });
      for (let count = 0; count < 31; count += 1) {
        await expectError(bench.send([tradingKey], [leftOver()]), null);
      }
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 31 });
      await bench.setPrice(START_PRICE);
      expect(await trade({ side: "short", reduceOnly: true })).toMatchObject({
        kind: "filled",
        fills: [{ baseSize: SOL_BASE }],
      });
      expect(await base()).toBe(0n);
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0 });
    },
  },
];

/** Cases of orders that the market maker fills only after an auction. */
export const WAITING_CASES: readonly DriftCase[] = [
  {
    name: "an order waits out its auction and is then filled by the delegate with the account's own user",
    async run(bench) {
      await withAccount(bench);
      await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
      const { account, venue, trade, land, pass, base } = await openVenue(bench);
      const resting = restingOf(await trade({ side: "long" }));
      expect(resting).toMatchObject({ marketId: "SOL-PERP", baseSize: SOL_BASE });
      expect(await venue.followOrder?.(account, resting)).toEqual({
        kind: "alive",
        filledBase: 0n,
      });
      await pass(60);
      const ready = await venue.followOrder?.(account, resting);
      if (ready?.kind !== "fillable") throw new Error(`Expected a fillable order: ${ready?.kind}`);
      const outcome = await land(ready.transaction.instructions);
      expect(outcome.error, outcome.logs.join("\n")).toBeNull();
      const fills = venue.fillsOfResting?.(account, resting, outcome) ?? [];
      expect(fills.map(({ baseSize }) => baseSize)).toEqual([SOL_BASE]);
      expect(await venue.followOrder?.(account, resting)).toEqual({ kind: "gone" });
      expect(await base()).toBe(SOL_BASE);
      // Sent once more it changes nothing
      expect((await land(ready.transaction.instructions)).error).toBeNull();
      expect(await base()).toBe(SOL_BASE);
    },
  },
  {
    name: "an order that the market has left is cancelled once it expired",
    async run(bench) {
      await withAccount(bench);
      await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
      const { account, venue, trade, land, pass, wait, base } = await openVenue(bench);
      const resting = restingOf(await trade({ side: "long", slippageBps: 50 }));
      await pass(60, (START_PRICE * 103n) / 100n);
      expect(await venue.followOrder?.(account, resting)).toMatchObject({ kind: "alive" });
      await expectError(bench.send([tradingKey], [leftOver()]), null);
      wait(60);
      const dead = await venue.followOrder?.(account, resting);
      if (dead?.kind !== "cancellable") throw new Error(`Expected a dead order: ${dead?.kind}`);
      expect((await land(dead.transaction.instructions)).error).toBeNull();
      expect(await venue.followOrder?.(account, resting)).toEqual({ kind: "gone" });
      expect(await base()).toBe(0n);
      // Another's order is not taken back with it
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 1 });
      expect((await land(dead.transaction.instructions)).error).toBeNull();
    },
  },
  {
    name: "a closing order waits, is filled, and leaves no position",
    async run(bench) {
      await withAccount(bench);
      const { account, venue, trade, land, pass, base } = await openVenue(bench);
      await trade({ side: "long" });
      await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
      const resting = restingOf(await trade({ side: "short", reduceOnly: true }));
      await pass(60);
      const ready = await venue.followOrder?.(account, resting);
      if (ready?.kind !== "fillable") throw new Error(`Expected a fillable order: ${ready?.kind}`);
      expect((await land(ready.transaction.instructions)).error).toBeNull();
      expect(await base()).toBe(0n);
    },
  },
  {
    name: "the owner closes in two steps without the delegate",
    async run(bench) {
      await withAccount(bench);
      const { account, venue, trade, ownerCloses, pass, base } = await openVenue(bench);
      await trade({ side: "short" });
      await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
      expect((await ownerCloses()).error).toBeNull();
      expect(await base()).toBe(-SOL_BASE);
      // Five percent take a longer auction
      await pass(100);
      expect((await ownerCloses()).error).toBeNull();
      expect(await base()).toBe(0n);
      expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0 });
    },
  },
  ...IDLE_CLOSING_CASES,
  ...PROTECTIVE_CASES,
  {
    name: "no entry is built while a closing order has something to close",
    async run(bench) {
      await withAccount(bench);
      const { trade, ownerCloses, build } = await openVenue(bench);
      await trade({ side: "short" });
      await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
      expect((await ownerCloses()).error).toBeNull();
      await expect(build({ side: "long" })).rejects.toThrow(new OrderRefusedError("order_alive"));
    },
  },
  {
    name: "the delegate fills what the owner's close left",
    async run(bench) {
      await withAccount(bench);
      const { account, venue, trade, ownerCloses, pass, land, base } = await openVenue(bench);
      await trade({ side: "short" });
      await bench.setExchange({ minPerpAuctionDuration: AUCTION_SLOTS });
      const resting = restingOf(venue.reportOrder(account, await ownerCloses()));
      await pass(100);
      const ready = await venue.followOrder?.(account, resting);
      if (ready?.kind !== "fillable") throw new Error(`Expected a fillable order: ${ready?.kind}`);
      expect((await land(ready.transaction.instructions)).error).toBeNull();
      expect(await base()).toBe(0n);
    },
  },
];

/** Cases with an outdated price; they need a chain on which no keeper posts prices. */
export const OLD_PRICE_CASES: readonly DriftCase[] = [
  {
    name: "a price too old for the market maker is reported as such and fills nothing",
    async run(bench) {
      await withAccount(bench);
      const { trade, venue } = await openVenue(bench);
      expect((await venue.price("SOL-PERP")).isFillable).toBe(true);
      for (let slot = 0; slot < 11; slot += 1) bench.nextSlot();
      expect((await venue.price("SOL-PERP")).isFillable).toBe(false);
      expect((await trade({ side: "long" })).kind).toBe("not_filled");
    },
  },
];
