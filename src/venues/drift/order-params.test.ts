import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IMMEDIATE_OR_CANCEL, ORDER_TYPE } from "./instruction-arguments.ts";
import { auctionOrderParams, limitPrice, takeOrderParams } from "./order-params.ts";

describe("limitPrice", () => {
  it("is the reference price plus or minus the tolerance, on the tick", () => {
    expect(limitPrice("long", 155_000_000n, 50, 100n)).toBe(155_775_000n);
    expect(limitPrice("short", 155_000_000n, 50, 100n)).toBe(154_225_000n);
    expect(limitPrice("long", 155_000_001n, 1, 100n)).toBe(155_015_500n);
    expect(limitPrice("short", 155_000_001n, 1, 100n)).toBe(154_984_600n);
  });

  it("never accepts worse than the tolerance", () => {
    fc.assert(
      fc.property(
        fc.bigInt(1_000n, 10n ** 13n),
        fc.integer({ min: 1, max: 500 }),
        fc.bigInt(1n, 1_000n),
        (price, bps, tick) => {
          const long = limitPrice("long", price, bps, tick);
          const short = limitPrice("short", price, bps, tick);
          expect(long * 10_000n <= price * (10_000n + BigInt(bps))).toBe(true);
          expect(short * 10_000n >= price * (10_000n - BigInt(bps))).toBe(true);
          expect([long % tick, short % tick]).toEqual([0n, 0n]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("the forms of an order", () => {
  const order = { marketIndex: 2, side: "short", baseSize: 5n, price: 7n } as const;

  it("uses a limit order to take, because a market order may not be immediate-or-cancel", () => {
    expect(takeOrderParams({ ...order, reduceOnly: true })).toMatchObject({
      orderType: ORDER_TYPE.limit,
      marketType: 1,
      direction: 1,
      reduceOnly: true,
      bitFlags: IMMEDIATE_OR_CANCEL,
      price: 7n,
      marketIndex: 2,
    });
  });

  it("uses an expiring market order for an auction", () => {
    const auction = { startPrice: 9n, endPrice: 8n, duration: 10, maxTs: 1_700_000_045n };
    expect(auctionOrderParams({ ...order, reduceOnly: false }, auction)).toMatchObject({
      orderType: ORDER_TYPE.market,
      bitFlags: 0,
      price: 7n,
      maxTs: 1_700_000_045n,
      auctionDuration: 10,
      auctionStartPrice: 9n,
      auctionEndPrice: 8n,
    });
  });
});
