import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Held } from "./entry.ts";
import { moveHeld, realiseTrade } from "./realise.ts";

const FLAT: Held = { base: 0n, cost: 0n, fees: 0n };

describe("realiseTrade", () => {
  it.each([
    ["a long is opened", FLAT, 10n, -1_000n, { base: 10n, cost: -1_000n, fees: 0n }, null],
    ["a short is opened", FLAT, -10n, 1_000n, { base: -10n, cost: 1_000n, fees: 0n }, null],
    [
      "a long grows",
      { base: 10n, cost: -1_000n, fees: 0n },
      5n,
      -600n,
      { base: 15n, cost: -1_600n, fees: 0n },
      null,
    ],
    [
      "half a long is sold",
      { base: 10n, cost: -1_000n, fees: 0n },
      -5n,
      600n,
      { base: 5n, cost: -500n, fees: 0n },
      100n,
    ],
    ["a long is sold", { base: 10n, cost: -1_000n, fees: 0n }, -10n, 900n, FLAT, -100n],
    ["a short is bought back", { base: -10n, cost: 1_000n, fees: 0n }, 10n, -900n, FLAT, 100n],
    [
      "a long turns short",
      { base: 10n, cost: -1_000n, fees: 0n },
      -15n,
      1_500n,
      { base: -5n, cost: 500n, fees: 0n },
      0n,
    ],
    [
      "a third, cut towards zero",
      { base: 3n, cost: -100n, fees: 0n },
      -1n,
      40n,
      { base: 2n, cost: -67n, fees: 0n },
      7n,
    ],
    ["an unknown cost", { base: 10n, cost: null, fees: null }, -10n, 900n, FLAT, null],
  ] as const)("%s", (_name, held, base, quote, after, realised) => {
    expect(realiseTrade(held, base, quote, 0n)).toMatchObject({ held: after, realised });
  });

  it.each([
    ["is opened", FLAT, 10n, -5n, -5n, null],
    ["grows", { base: 10n, cost: -1_000n, fees: -5n }, 5n, -3n, -8n, null],
    ["is closed", { base: 10n, cost: -1_000n, fees: -5n }, -10n, -7n, 0n, -12n],
    [
      "is closed by a third, cut towards zero",
      { base: 3n, cost: -9n, fees: -5n },
      -1n,
      -2n,
      -4n,
      -3n,
    ],
    [
      "is turned, so that it pays for both parts",
      { base: 10n, cost: -9n, fees: -5n },
      -15n,
      -7n,
      -3n,
      -9n,
    ],
    ["has fees that are not known", { base: 10n, cost: -9n, fees: null }, -5n, -7n, null, null],
  ] as const)("splits the fees when a long %s", (_name, held, base, fee, left, realisedFees) => {
    const after = realiseTrade(held, base, 0n, fee);
    expect([after.held.fees, after.realisedFees]).toEqual([left, realisedFees]);
  });

  it("keeps every unit: cost of the holding plus realised profit equals all quote that moved", () => {
    const amount = fc.bigInt({ min: -1_000_000n, max: 1_000_000n });
    const trade = fc.tuple(
      amount.filter((base) => base !== 0n),
      amount,
    );
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 30 }), (trades) => {
        let held: Held = FLAT;
        let realised = 0n;
        let realisedFees = 0n;
        for (const [base, quote] of trades) {
          const after = realiseTrade(held, base, quote, -(base * base));
          held = after.held;
          realised += after.realised ?? 0n;
          realisedFees += after.realisedFees ?? 0n;
        }
        expect((held.cost ?? 0n) + realised).toBe(
          trades.reduce((sum, [, quote]) => sum + quote, 0n),
        );
        expect((held.fees ?? 0n) + realisedFees).toBe(
          trades.reduce((sum, [base]) => sum - base * base, 0n),
        );
        if (held.base === 0n) expect(held.cost).toBe(0n);
      }),
    );
  });
});

describe("moveHeld", () => {
  it.each([
    [
      "some leaves",
      { base: 10n, cost: -1_000n, fees: 0n },
      -4n,
      { base: 6n, cost: -600n, fees: 0n },
    ],
    ["all leaves", { base: 10n, cost: -1_000n, fees: 0n }, -10n, FLAT],
    [
      "some comes from elsewhere",
      { base: 10n, cost: -1_000n, fees: 0n },
      1n,
      { base: 11n, cost: null, fees: null },
    ],
    ["nothing was held", FLAT, 5n, { base: 5n, cost: null, fees: null }],
    [
      "an unknown cost leaves",
      { base: 10n, cost: null, fees: null },
      -4n,
      { base: 6n, cost: null, fees: null },
    ],
  ] as const)("%s", (_name, held, base, after) => {
    expect(moveHeld(held, base)).toEqual(after);
  });
});
