import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moveHeld, realiseTrade } from "./realise.ts";

const FLAT = { base: 0n, cost: 0n };

describe("realiseTrade", () => {
  it.each([
    ["a long is opened", FLAT, 10n, -1_000n, { base: 10n, cost: -1_000n }, null],
    ["a short is opened", FLAT, -10n, 1_000n, { base: -10n, cost: 1_000n }, null],
    ["a long grows", { base: 10n, cost: -1_000n }, 5n, -600n, { base: 15n, cost: -1_600n }, null],
    [
      "half a long is sold",
      { base: 10n, cost: -1_000n },
      -5n,
      600n,
      { base: 5n, cost: -500n },
      100n,
    ],
    ["a long is sold", { base: 10n, cost: -1_000n }, -10n, 900n, FLAT, -100n],
    ["a short is bought back", { base: -10n, cost: 1_000n }, 10n, -900n, FLAT, 100n],
    [
      "a long turns short",
      { base: 10n, cost: -1_000n },
      -15n,
      1_500n,
      { base: -5n, cost: 500n },
      0n,
    ],
    [
      "a third, cut towards zero",
      { base: 3n, cost: -100n },
      -1n,
      40n,
      { base: 2n, cost: -67n },
      7n,
    ],
    ["an unknown cost", { base: 10n, cost: null }, -10n, 900n, FLAT, null],
  ] as const)("%s", (_name, held, base, quote, after, realised) => {
    expect(realiseTrade(held, base, quote)).toEqual({ held: after, realised });
  });

  it("keeps every unit: what is held cost plus what was realised is all quote that moved", () => {
    const amount = fc.bigInt({ min: -1_000_000n, max: 1_000_000n });
    const trade = fc.tuple(
      amount.filter((base) => base !== 0n),
      amount,
    );
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 30 }), (trades) => {
        let held: { base: bigint; cost: bigint | null } = FLAT;
        let realised = 0n;
        for (const [base, quote] of trades) {
          const after = realiseTrade(held, base, quote);
          held = after.held;
          realised += after.realised ?? 0n;
        }
        expect((held.cost ?? 0n) + realised).toBe(
          trades.reduce((sum, [, quote]) => sum + quote, 0n),
        );
        if (held.base === 0n) expect(held.cost).toBe(0n);
      }),
    );
  });
});

describe("moveHeld", () => {
  it.each([
    ["some leaves", { base: 10n, cost: -1_000n }, -4n, { base: 6n, cost: -600n }],
    ["all leaves", { base: 10n, cost: -1_000n }, -10n, FLAT],
    ["some comes from elsewhere", { base: 10n, cost: -1_000n }, 1n, { base: 11n, cost: null }],
    ["nothing was held", FLAT, 5n, { base: 5n, cost: null }],
    ["an unknown cost leaves", { base: 10n, cost: null }, -4n, { base: 6n, cost: null }],
  ] as const)("%s", (_name, held, base, after) => {
    expect(moveHeld(held, base)).toEqual(after);
  });
});
