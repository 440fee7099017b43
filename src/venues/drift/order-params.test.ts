import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitPrice, marketOrderParams } from "./order-params.ts";

describe("limitPrice", () => {
  it("is the reference price moved by the tolerance, on the tick", () => {
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

describe("marketOrderParams", () => {
  it("fills at once or not at all, and only reduces when told", () => {
    const order = { marketIndex: 2, side: "short", baseSize: 5n, price: 7n } as const;
    expect(marketOrderParams({ ...order, reduceOnly: true })).toMatchObject({
      orderType: 0,
      marketType: 1,
      direction: 1,
      reduceOnly: true,
      bitFlags: 1,
      price: 7n,
      marketIndex: 2,
    });
  });
});
