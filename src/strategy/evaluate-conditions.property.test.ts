import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCondition } from "../domain/condition/check-condition.ts";
import type { AlertCondition } from "../domain/condition/condition.ts";
import { randomBars, scaleFreeCondition } from "../../test/random-conditions.ts";
import type { Bar } from "./bar-times.ts";
import { createConditionEvaluator, warmUpBars } from "./evaluate-conditions.ts";
import type { ConditionFiring } from "./firing.ts";

const runs = { numRuns: 1_000 };
const conditions = fc.array(scaleFreeCondition, { minLength: 1, maxLength: 3 });
const seed = fc.nat({ max: 1_000_000 });

const ASSETS = new Set(["BTC"]);

const named = (all: readonly AlertCondition[]) =>
  all.map((condition, index) => ({ alertKey: String(index), condition }));

function firingsOf(all: readonly AlertCondition[], bars: readonly Bar[]): ConditionFiring[] {
  const evaluator = createConditionEvaluator(named(all), 60);
  return bars.flatMap((bar) => evaluator.next(bar));
}

const keysOf = (firings: readonly ConditionFiring[]) =>
  firings.map(({ alertKey, closedAtMs }) => `${alertKey} ${closedAtMs}`);

const scaledBar = (bar: Bar, factor: number): Bar => ({
  ...bar,
  open: bar.open * factor,
  high: bar.high * factor,
  low: bar.low * factor,
  close: bar.close * factor,
});

const scaled = (bars: readonly Bar[], factor: number): Bar[] =>
  bars.map((bar) => {
    const beside = Object.entries(bar.beside ?? {}).map(
      ([asset, other]) => [asset, scaledBar(other, factor)] as const,
    );
    return { ...scaledBar(bar, factor), beside: Object.fromEntries(beside) };
  });

describe("the set of firing alerts", () => {
  it("does not depend on later bars", () => {
    fc.assert(
      fc.property(conditions, seed, fc.nat({ max: 100 }), (all, from, left) => {
        expect(all.map((condition) => checkCondition(condition, 60, ASSETS))).toEqual(
          all.map(() => null),
        );
        const bars = randomBars(from, warmUpBars(named(all), 60) + 100);
        const cut = bars.slice(0, bars.length - left);
        const until = cut.at(-1)?.closeTimeMs ?? 0;
        const whole = firingsOf(all, bars).filter(({ closedAtMs }) => closedAtMs <= until);
        expect(firingsOf(all, cut)).toEqual(whole);
      }),
      runs,
    );
  });

  it("does not depend on the unit of the price", () => {
    fc.assert(
      fc.property(
        conditions,
        seed,
        fc.double({ min: 1e-4, max: 1e4, noNaN: true }),
        (all, from, factor) => {
          const bars = randomBars(from, warmUpBars(named(all), 60) + 100);
          expect(keysOf(firingsOf(all, scaled(bars, factor)))).toEqual(
            keysOf(firingsOf(all, bars)),
          );
        },
      ),
      runs,
    );
  });

  it("does not depend on the evaluator's first bar once it is warm", () => {
    fc.assert(
      fc.property(conditions, seed, fc.nat({ max: 150 }), (all, from, later) => {
        const bars = randomBars(from, warmUpBars(named(all), 60) + 250);
        const since = bars.at(-101)?.closeTimeMs ?? 0;
        const firings = firingsOf(all, bars).filter(({ closedAtMs }) => closedAtMs > since);
        const restarted = firingsOf(all, bars.slice(later));
        expect(keysOf(restarted.filter(({ closedAtMs }) => closedAtMs > since))).toEqual(
          keysOf(firings),
        );
      }),
      runs,
    );
  });

  it("is identical in two runs", () => {
    fc.assert(
      fc.property(conditions, seed, (all, from) => {
        const bars = randomBars(from, 320);
        expect(firingsOf(all, bars)).toEqual(firingsOf(all, bars));
      }),
      { numRuns: 200 },
    );
  });
});
