import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demandOf, nextAdd } from "./demand.ts";
import { afterAdd, afterPart, type Plan, type PlannedPosition, plannedEntry } from "./plan.ts";
import { largestPercentOf, cappedAdd, liquidationPriceOf } from "./size.ts";

const USD = 1_000_000n;
const market = { baseDecimals: 9 };

const entry = (
  parts: Partial<Parameters<typeof plannedEntry>[0]> = {},
  changed: Partial<PlannedPosition> = {},
): PlannedPosition => ({
  ...plannedEntry({
    marketId: "SOL-PERP",
    side: "long",
    baseSize: 10_000_000_000n,
    price: 100n * USD,
    atr: new Map([[14, 2n * USD]]),
    openedAtMs: 0,
    ...parts,
  }),
  ...changed,
});

const stopAt = (plan: Plan, position: PlannedPosition, price: bigint, extreme?: bigint) => {
  const { protective } = demandOf(plan, position, { price, extreme });
  const stop = protective.find(({ key }) => key === "stop");
  return stop === undefined ? null : [stop.triggerPrice, stop.reason];
};

const STOP: Plan = { stop: { at: { kind: "percent", bps: 300 } } };
const TRAIL: Plan = {
  stop: {
    at: { kind: "percent", bps: 300 },
    trail: { afterBps: 400, by: { kind: "percent", bps: 200 }, stepBps: 50 },
  },
};

describe("demandOf", () => {
  it("counts no price before an add as profit on the average after it", () => {
    const even: Plan = { stop: { at: { kind: "percent", bps: 500 }, breakEvenAfterBps: 100 } };
    const held = afterAdd(entry(), 10_000_000_000n, 96n * USD);
    expect(demandOf(even, held, { price: 96n * USD }).closeNow).toBeNull();
    // 1 % above the average of 98
    const gained = { ...held, bestPrice: 98_980_000n };
    expect(stopAt(even, gained, 98_500_000n)).toEqual([98n * USD, "break_even"]);
  });

  it("asks for a stop of the whole position on its losing side", () => {
    expect(demandOf(STOP, entry(), { price: 100n * USD })).toEqual({
      protective: [
        {
          key: "stop",
          reason: "stop",
          side: "short",
          triggerPrice: 97n * USD,
          triggersWhen: "below",
          baseSize: 10_000_000_000n,
        },
      ],
      closeNow: null,
      addNow: null,
      lacksStop: false,
      stopPrice: null,
      bestPrice: 100n * USD,
    });
    expect(
      demandOf(STOP, entry({ side: "short" }), { price: 100n * USD }).protective,
    ).toMatchObject([{ side: "long", triggerPrice: 103n * USD, triggersWhen: "above" }]);
  });

  it("closes once the price is beyond the stop, not at it", () => {
    expect(demandOf(STOP, entry(), { price: 97n * USD }).closeNow).toBeNull();
    expect(demandOf(STOP, entry(), { price: 97n * USD - 1n }).closeNow).toEqual({
      baseSize: 10_000_000_000n,
      reason: "stop",
      targets: [],
    });
  });

  it("measures a stop in multiples of the ATR at the entry, and says when the ATR is unknown", () => {
    const plan: Plan = { stop: { at: { kind: "atr", length: 14, timesHundredths: 150 } } };
    expect(stopAt(plan, entry(), 100n * USD)).toEqual([97n * USD, "stop"]);
    const unknown = demandOf(plan, entry({ atr: new Map() }), { price: 100n * USD });
    expect([unknown.protective, unknown.lacksStop]).toEqual([[], true]);
  });

  it("trails from the profit on in whole steps, and never moves back", () => {
    expect(stopAt(TRAIL, entry(), 103n * USD)).toEqual([97n * USD, "stop"]);
    expect(stopAt(TRAIL, entry(), 104n * USD)).toEqual([101_500_000n, "trail"]);
    const moved = demandOf(TRAIL, entry(), { price: 105n * USD, extreme: 110n * USD });
    expect([moved.bestPrice, moved.stopPrice]).toEqual([110n * USD, 107_500_000n]);
    expect(moved.closeNow).toMatchObject({ reason: "trail", baseSize: 10_000_000_000n });
    const after = entry({}, { bestPrice: moved.bestPrice, stopPrice: moved.stopPrice });
    expect(stopAt(TRAIL, after, 108n * USD)).toEqual([107_500_000n, "trail"]);
    const short = demandOf(TRAIL, entry({ side: "short" }), { price: 95n * USD });
    expect(short.protective).toMatchObject([{ triggerPrice: 97n * USD, reason: "trail" }]);
  });

  it("moves the stop to the average entry for break-even", () => {
    const plan: Plan = { stop: { at: { kind: "percent", bps: 300 }, breakEvenAfterBps: 200 } };
    expect(stopAt(plan, entry(), 101n * USD)).toEqual([97n * USD, "stop"]);
    const even = demandOf(plan, entry(), { price: 102n * USD });
    expect(even.protective).toMatchObject([{ triggerPrice: 100n * USD, reason: "break_even" }]);
    const after = entry({}, { bestPrice: even.bestPrice, stopPrice: even.stopPrice });
    expect(demandOf(plan, after, { price: 99n * USD }).closeNow).toMatchObject({
      reason: "break_even",
    });
  });

  it("closes parts at targets, by percent or by multiples of the stop's distance", () => {
    const plan: Plan = {
      ...STOP,
      targets: [
        { at: { kind: "percent", bps: 400 }, closePercent: 50 },
        { at: { kind: "r", timesHundredths: 300 }, closePercent: 50 },
      ],
    };
    const { protective } = demandOf(plan, entry(), { price: 100n * USD });
    expect(protective.slice(1)).toMatchObject([
      {
        key: "target-1",
        triggerPrice: 104n * USD,
        triggersWhen: "above",
        baseSize: 5_000_000_000n,
      },
      { key: "target-2", triggerPrice: 109n * USD, baseSize: 5_000_000_000n },
    ]);
    const first = demandOf(plan, entry(), { price: 105n * USD }).closeNow;
    expect(first).toEqual({ baseSize: 5_000_000_000n, reason: "target", targets: [0] });
    const left = afterPart(entry(), 5_000_000_000n, [0]);
    expect(left).toMatchObject({ baseSize: 5_000_000_000n, targetsHit: [0] });
    expect(demandOf(plan, entry(), { price: 110n * USD }).closeNow).toMatchObject({
      baseSize: 10_000_000_000n,
      targets: [0, 1],
    });
  });

  it("keeps a moved stop and gives the last target the rest when an add changed the average", () => {
    const targets = [
      { at: { kind: "percent", bps: 400 }, closePercent: 50 },
      { at: { kind: "percent", bps: 800 }, closePercent: 50 },
    ] as const;
    const { stopPrice, bestPrice } = demandOf(TRAIL, entry(), { price: 105n * USD });
    const left = afterPart(entry({}, { stopPrice, bestPrice }), 5_000_000_000n, [0]);
    const added = afterAdd(left ?? entry(), 10_000_000_000n, 103n * USD);
    // The average is 102 now: measured from it, the stop of 102.5 would be at 98.94
    const { protective } = demandOf({ ...TRAIL, targets }, added, { price: 103n * USD });
    expect(protective).toMatchObject([
      { key: "stop", triggerPrice: 102_500_000n, reason: "trail", baseSize: 15_000_000_000n },
      { key: "target-2", triggerPrice: 110_160_000n, baseSize: 15_000_000_000n },
    ]);
  });

  it("closes after the bars to hold, and the stop comes before every other reason", () => {
    const plan: Plan = { ...STOP, holdBars: 3 };
    expect(demandOf(plan, entry({}, { barsHeld: 2 }), { price: 100n * USD }).closeNow).toBeNull();
    expect(
      demandOf(plan, entry({}, { barsHeld: 3 }), { price: 100n * USD }).closeNow,
    ).toMatchObject({
      reason: "hold",
    });
    expect(demandOf(plan, entry({}, { barsHeld: 3 }), { price: 90n * USD }).closeNow).toMatchObject(
      {
        reason: "stop",
      },
    );
  });

  it("adds at growing distances from the average entry, as often as the plan says", () => {
    const adds = { on: { kind: "against", bps: 100 }, times: 2, sizePercent: 50 } as const;
    const plan: Plan = { adds, maxPositionPercent: 100 };
    const due = (position: PlannedPosition, price: bigint) =>
      demandOf(plan, position, { price }).addNow?.baseSize ?? null;
    expect(due(entry(), 99n * USD)).toBeNull();
    expect(due(entry(), 98_900_000n)).toBe(5_000_000_000n);
    const once = afterAdd(entry(), 5_000_000_000n, 98_500_000n);
    expect([once.averageEntry, once.largestSize]).toEqual([99_500_000n, 15_000_000_000n]);
    expect(due(once, 98n * USD)).toBeNull();
    expect(due(once, 97n * USD)).toBe(5_000_000_000n);
    expect(due({ ...once, addsDone: 2 }, 90n * USD)).toBeNull();
    const signal: Plan = { ...plan, adds: { ...adds, on: { kind: "signal" } } };
    expect(demandOf(signal, entry(), { price: 90n * USD }).addNow).toBeNull();
    expect(nextAdd(signal, entry())).toBe(5_000_000_000n);
  });
});

const distance = fc.oneof(
  fc.record({ kind: fc.constant("percent" as const), bps: fc.integer({ min: 10, max: 5_000 }) }),
  fc.record({
    kind: fc.constant("atr" as const),
    length: fc.constant(14),
    timesHundredths: fc.integer({ min: 25, max: 500 }),
  }),
);
const parts = fc
  .array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 })
  .filter((all) => all.reduce((sum, each) => sum + each, 0) <= 100);
const targets = parts.map((all) =>
  all.map((closePercent, index) => ({
    at: { kind: "percent" as const, bps: 100 + index * 150 },
    closePercent,
  })),
);
const side = fc.constantFrom("long" as const, "short" as const);
const price = fc.bigInt({ min: 50n * USD, max: 200n * USD });
const baseSize = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe("what demandOf holds for any plan", () => {
  const plan = fc.record({
    stop: fc.record({
      at: distance,
      trail: fc.record({
        afterBps: fc.integer({ min: 10, max: 1_000 }),
        by: distance,
        stepBps: fc.integer({ min: 5, max: 200 }),
      }),
    }),
    targets,
  });

  it("moves a moved stop towards profit only, and the same however often prices are looked at", () => {
    fc.assert(
      fc.property(
        plan,
        side,
        baseSize,
        fc.array(price, { minLength: 1 }),
        (each, way, size, prices) => {
          const position = entry({ side: way, baseSize: size });
          let booked = position;
          for (const at of prices) {
            const { stopPrice, bestPrice } = demandOf(each, booked, { price: at });
            if (booked.stopPrice !== null && stopPrice !== null) {
              const gain = stopPrice - booked.stopPrice;
              expect(way === "long" ? gain >= 0n : gain <= 0n).toBe(true);
            }
            booked = { ...booked, stopPrice, bestPrice };
          }
          const { bestPrice: extreme, stopPrice } = booked;
          const once = demandOf(each, position, { price: prices.at(-1) ?? 0n, extreme });
          expect(once.stopPrice).toBe(stopPrice);
        },
      ),
    );
  });

  it("asks for targets that sum to their part of the whole, and for no exit larger than the position", () => {
    fc.assert(
      fc.property(plan, side, baseSize, (each, way, size) => {
        let left: PlannedPosition | null = entry({ side: way, baseSize: size });
        const percent = each.targets.reduce((sum, { closePercent }) => sum + closePercent, 0);
        let closed = 0n;
        for (let index = 0; index < each.targets.length && left !== null; index += 1) {
          const { protective } = demandOf(each, left, { price: 100n * USD });
          const exits = protective.filter(({ key }) => key !== "stop");
          const sum = exits.reduce((total, exit) => total + exit.baseSize, 0n);
          expect(closed + sum).toBe((size * BigInt(percent)) / 100n);
          expect(protective.every((exit) => exit.baseSize <= (left?.baseSize ?? 0n))).toBe(true);
          const next = exits.find(({ key }) => key === `target-${index + 1}`)?.baseSize ?? 0n;
          closed += next;
          left = afterPart(left, next, [index]);
        }
        expect(left === null).toBe(percent === 100);
      }),
    );
  });

  it("never adds beyond the largest position and leverage", () => {
    const settings = fc.record({
      leverage: fc.integer({ min: 1, max: 5 }),
      positionSizePercent: fc.integer({ min: 1, max: 100 }),
      max: fc.integer({ min: 1, max: 100 }),
      collateral: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    });
    fc.assert(
      fc.property(settings, baseSize, baseSize, price, (given, held, wanted, at) => {
        const plan = { maxPositionPercent: given.max };
        const add = cappedAdd(
          wanted,
          held,
          { ...given, plan },
          {
            collateral: given.collateral,
            price: at,
            market,
            quoteDecimals: 6,
          },
        );
        expect(add >= 0n && add <= wanted).toBe(true);
        if (add === 0n) return;
        const percent = BigInt(largestPercentOf({ ...given, plan }));
        expect((held + add) * at * 100n <= given.collateral * percent * 10n ** 9n).toBe(true);
        expect(percent <= BigInt(100 * given.leverage)).toBe(true);
      }),
    );
  });
});

describe("liquidationPriceOf", () => {
  it("is where what is left equals the maintenance margin", () => {
    // 5 times long at 100: a fall of 11.11 % leaves 8.89 of 20, the 10 % of a position worth 88.89
    expect(liquidationPriceOf("long", 100n * USD, 500, 100_000)).toBe(88_888_889n);
    expect(liquidationPriceOf("short", 100n * USD, 500, 100_000)).toBe(109_090_909n);
    expect(liquidationPriceOf("long", 100n * USD, 100, 100_000)).toBeNull();
  });
});
