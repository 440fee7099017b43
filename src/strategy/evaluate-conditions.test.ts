import { describe, expect, it } from "vitest";
import type { AlertCondition, Comparison, Operand } from "../domain/condition/condition.ts";
import type { PositionFigure } from "../domain/condition/indicator-table.ts";
import type { Bar } from "./bar-times.ts";
import { createConditionEvaluator, warmUpBars } from "./evaluate-conditions.ts";
import { randomBars } from "../../test/random-conditions.ts";
import type { PositionFacts } from "./firing.ts";

const HOUR_MS = 3_600_000;
/** Monday, 00:00 UTC. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const WARM_UP = 200;

const barAt = (index: number, close: number): Bar => ({
  openTimeMs: MONDAY_MS + (index - WARM_UP) * HOUR_MS,
  closeTimeMs: MONDAY_MS + (index - WARM_UP + 1) * HOUR_MS,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});

const close: Operand = { kind: "price", field: "close" };
const number = (value: number): Operand => ({ kind: "number", value });
const when = (...all: Comparison[]): AlertCondition => ({ kind: "comparisons", all });

/** Evaluates hourly closes from Monday's midnight on, after the warm-up, and returns the bars that fired. */
function firedAt(
  condition: AlertCondition,
  closes: readonly number[],
  positionAt: (index: number) => PositionFacts | null = () => null,
): number[] {
  const evaluator = createConditionEvaluator([{ alertKey: "a", condition }], 60);
  for (let index = 0; index < WARM_UP; index += 1) evaluator.next(barAt(index, 100));
  return closes.flatMap((price, index) => {
    const fired = evaluator.next(barAt(WARM_UP + index, price), positionAt(index));
    return fired.length > 0 ? [index] : [];
  });
}

describe("comparisons", () => {
  const closes = [100, 101, 102, 101, 100, 99, 101, 101];
  const pair = (is: "above" | "below" | "crosses-above" | "crosses-below") =>
    when({ left: close, is, right: number(100.5) });

  it.each([
    [pair("above"), [1, 2, 3, 6, 7]],
    [pair("below"), [0, 4, 5]],
    [pair("crosses-above"), [1, 6]],
    [pair("crosses-below"), [4]],
    [when({ left: close, is: "rises-for", bars: 2 }), [2]],
    [when({ left: close, is: "falls-for", bars: 3 }), [5]],
    [when({ left: close, is: "above", right: { ...close, barsBack: 2 } }), [1, 2, 6, 7]],
    [when({ left: { ...close, barsBack: 1 }, is: "rises-for", bars: 2 }), [3]],
    [
      when(
        { left: close, is: "above", right: number(100) },
        { left: close, is: "below", right: number(102) },
      ),
      [1, 3, 6, 7],
    ],
  ] as const)("%j", (condition, fires) => {
    expect(firedAt(condition, closes)).toEqual(fires);
  });

  it("touching a line is a crossing only when the series leaves on the other side", () => {
    const condition = when({ left: close, is: "crosses-above", right: number(101) });
    expect(firedAt(condition, [101, 100, 101, 102, 101, 102])).toEqual([3, 5]);
  });

  it("treats figures that differ only by rounding as equal", () => {
    const average: Operand = { kind: "indicator", name: "EMA", output: "value", parameters: [7] };
    const price = 0.1 + 0.2;
    const flat = Array.from({ length: 400 }, () => price);
    const fired = firedAt(when({ left: close, is: "above", right: average }), flat);
    expect(fired.every((index) => index < 100)).toBe(true);
  });

  it("reports the compared figures of both bars", () => {
    const evaluator = createConditionEvaluator(
      [{ alertKey: "dip", condition: pair("crosses-above") }],
      60,
    );
    for (let index = 0; index < WARM_UP; index += 1) evaluator.next(barAt(index, 100));
    expect(evaluator.next(barAt(WARM_UP, 101))).toEqual([
      {
        alertKey: "dip",
        closedAtMs: MONDAY_MS + HOUR_MS,
        price: 101,
        compared: [
          {
            text: "close crosses above 100.5",
            left: 101,
            right: 100.5,
            leftBefore: 100,
            rightBefore: 100.5,
          },
        ],
      },
    ]);
  });
});

describe("warm-up", () => {
  const slow: Operand = { kind: "indicator", name: "EMA", output: "value", parameters: [50] };

  it("is 8 of the longest period, at least 200, a day for a session's average price", () => {
    const of = (condition: AlertCondition, minutes?: number) =>
      warmUpBars([{ alertKey: "a", condition }], minutes);
    expect(of({ kind: "every-bars", bars: 500 })).toBe(200);
    expect(of(when({ left: close, is: "above", right: slow }))).toBe(401);
    const vwap: Operand = { kind: "indicator", name: "VWAP", output: "value", parameters: [] };
    expect(of(when({ left: close, is: "above", right: vwap }), 60)).toBe(200);
    expect(of(when({ left: close, is: "above", right: vwap }), 1)).toBe(1_442);
    expect(of(when({ left: close, is: "above", right: vwap }))).toBe(1_442);
  });

  it("prevents all firings before it is over, also those of schedules", () => {
    const evaluator = createConditionEvaluator(
      [
        { alertKey: "a", condition: { kind: "every-bars", bars: 1 } },
        { alertKey: "b", condition: when({ left: close, is: "above", right: number(1) }) },
      ],
      60,
    );
    const fired = Array.from(
      { length: WARM_UP + 1 },
      (_, index) => evaluator.next(barAt(index, 100)).length,
    );
    expect(fired.slice(0, WARM_UP).every((count) => count === 0)).toBe(true);
    expect(fired[WARM_UP]).toBe(2);
  });
});

describe("sessions and schedules", () => {
  const flat = Array.from({ length: 8 * 24 }, () => 100);
  const during = (days: number[], fromUtc: string, toUtc: string): AlertCondition => ({
    kind: "comparisons",
    all: [{ left: close, is: "above", right: number(1) }],
    session: { days, fromUtc, toUtc },
  });

  // Bar n closes n + 1 hours after Monday's midnight
  it.each([
    [
      "a session takes the close from inclusive to exclusive",
      during([1], "08:00", "10:00"),
      [7, 8, 168 + 7, 168 + 8],
    ],
    [
      "a session over midnight belongs to the day it begins on",
      during([1], "23:00", "01:00"),
      [22, 23, 168 + 22, 168 + 23],
    ],
    [
      "equal ends span the day",
      during([2], "12:00", "12:00"),
      Array.from({ length: 24 }, (_, hour) => 35 + hour),
    ],
    [
      "a time of day",
      { kind: "time-of-day", atUtc: "05:30", days: [3, 5] },
      [2 * 24 + 5, 4 * 24 + 5],
    ],
    [
      "a time of day on the hour",
      { kind: "time-of-day", atUtc: "00:00", days: [2] },
      [23, 168 + 23],
    ],
  ] as const)("%s", (_, condition, fires) => {
    expect(firedAt(condition, flat)).toEqual(fires);
  });

  it("counts every n-th bar from the Unix epoch, wherever the evaluator started", () => {
    const first = MONDAY_MS / HOUR_MS;
    const expected = flat.flatMap((__, index) => ((first + index) % 7 === 0 ? [index] : []));
    expect(firedAt({ kind: "every-bars", bars: 7 }, flat)).toEqual(expected);
  });
});

describe("a gap", () => {
  it("prevents comparisons on the bar after it, and lets a missed time of day fire once", () => {
    const conditions: AlertCondition[] = [
      when({ left: close, is: "above", right: number(1) }),
      { kind: "time-of-day", atUtc: "02:00" },
    ];
    const evaluator = createConditionEvaluator(
      conditions.map((condition, index) => ({ alertKey: String(index), condition })),
      60,
    );
    for (let index = 0; index < WARM_UP; index += 1) evaluator.next(barAt(index, 100));
    const fired = [0, 3, 4].map((index) =>
      evaluator.next(barAt(WARM_UP + index, 100)).map(({ alertKey }) => alertKey),
    );
    expect(fired).toEqual([["0"], ["1"], ["0"]]);
  });
});

describe("figures of the position", () => {
  const entered =
    (side: "long" | "short", from: number, entryPrice = 100) =>
    (index: number) =>
      index < from ? null : { side, entryPrice, enteredAtMs: MONDAY_MS + (from + 1) * HOUR_MS };
  const above = (figure: PositionFigure, value: number): AlertCondition =>
    when({ left: { kind: "position", figure }, is: "above", right: number(value) });
  const closes = [100, 104, 110, 105, 99, 98];

  it("are missing without a position, so nothing fires", () => {
    expect(firedAt(above("profit-percent", -1_000), closes)).toEqual([]);
    expect(firedAt(above("bars-since-entry", -1), closes, entered("long", 3))).toEqual([3, 4, 5]);
  });

  it("are counted from the entry", () => {
    expect(firedAt(above("bars-since-entry", 1.5), closes, entered("long", 1))).toEqual([3, 4, 5]);
    expect(firedAt(above("profit-percent", 4.5), closes, entered("long", 0))).toEqual([2, 3]);
    expect(firedAt(above("profit-percent", 1.5), closes, entered("short", 0))).toEqual([5]);
    expect(firedAt(above("drop-from-best-percent", 4.5), closes, entered("long", 0))).toEqual([
      3, 4, 5,
    ]);
    expect(firedAt(above("drop-from-best-percent", 9), closes, entered("short", 0))).toEqual([2]);
  });

  it("are the same when bars since the entry are replayed, although the position has grown", () => {
    const long = [100, 120, 90, 95, 110, 101];
    const grown = (index: number) => entered("long", 1, index < 3 ? 110 : 105)(index);
    const drop = above("drop-from-best-percent", 15);
    const streamed = firedAt(drop, long, grown);
    expect(streamed).toEqual([2, 3, 5]);
    expect(firedAt(drop, long, entered("long", 1, 105)).filter((at) => at > 3)).toEqual([5]);
  });

  it("cause no crossing between two positions", () => {
    const crosses = when({
      left: { kind: "position", figure: "profit-percent" },
      is: "crosses-above",
      right: number(4),
    });
    const second = (index: number) =>
      index < 2 ? entered("long", 0)(index) : entered("long", 2, 90)(index);
    expect(firedAt(crosses, [100, 101, 105, 106], second)).toEqual([]);
    expect(firedAt(crosses, [100, 101, 105, 106], entered("long", 0))).toEqual([2]);
  });
});

describe("longer bars", () => {
  const on = { interval: "4h" };
  const longerClose: Operand = { kind: "price", field: "close", on };
  const bars = randomBars(7, 1_200);

  /** Returns the 4h bars by their close, joined from the hours. */
  const joined = (hours: readonly Bar[]) => {
    const byClose = new Map<number, Bar[]>();
    for (const hour of hours) {
      const closeMs = (Math.floor(hour.openTimeMs / (4 * HOUR_MS)) + 1) * 4 * HOUR_MS;
      byClose.set(closeMs, [...(byClose.get(closeMs) ?? []), hour]);
    }
    return byClose;
  };

  const firings = (condition: AlertCondition, hours: readonly Bar[]) => {
    const evaluator = createConditionEvaluator([{ alertKey: "a", condition }], 60);
    return hours.flatMap((bar) => (evaluator.next(bar).length > 0 ? [bar.openTimeMs] : []));
  };

  it("are read as the last one that closed before the agent's bar did", () => {
    const byClose = joined(bars);
    const condition = when({
      left: { kind: "price", field: "close" },
      is: "above",
      right: { kind: "price", field: "high", on },
    });
    const expected = bars.slice(200).filter((bar) => {
      const closedMs = Math.floor(bar.openTimeMs / (4 * HOUR_MS)) * 4 * HOUR_MS;
      const high = Math.max(...(byClose.get(closedMs) ?? []).map((hour) => hour.high));
      return bar.close > high * (1 + 1e-9);
    });
    expect(expected.length).toBeGreaterThan(50);
    expect(firings(condition, bars)).toEqual(expected.map(({ openTimeMs }) => openTimeMs));
  });

  it("give the indicator that bars of that length give", () => {
    const average = { kind: "indicator", name: "EMA", output: "value", parameters: [5] } as const;
    const is = { is: "above", right: { ...average, on } } as const;
    const warm = warmUpBars([{ alertKey: "a", condition: when({ left: longerClose, ...is }) }], 60);
    const hourly = firings(when({ left: longerClose, ...is }), bars);
    const own = createConditionEvaluator(
      [{ alertKey: "a", condition: when({ left: close, is: "above", right: average }) }],
      240,
    );
    const whole = [...joined(bars).values()].filter((hours) => hours.length === 4);
    const isAbove = new Map<number, boolean>();
    for (const hours of whole) {
      const first = hours[0] as Bar;
      const closeTimeMs = first.openTimeMs + 4 * HOUR_MS;
      const fired = own.next({
        ...first,
        closeTimeMs,
        close: (hours[3] as Bar).close,
        high: Math.max(...hours.map(({ high }) => high)),
        low: Math.min(...hours.map(({ low }) => low)),
      });
      isAbove.set(closeTimeMs, fired.length > 0);
    }
    const settledMs = (bars[0]?.openTimeMs ?? 0) + 205 * 4 * HOUR_MS;
    const expected = bars.slice(warm).filter(({ openTimeMs }) => {
      return isAbove.get(Math.floor(openTimeMs / (4 * HOUR_MS)) * 4 * HOUR_MS);
    });
    const settled = (times: readonly number[]) => times.filter((time) => time > settledMs);
    expect(settled(hourly)).toEqual(settled(expected.map(({ openTimeMs }) => openTimeMs)));
    expect(settled(hourly).length).toBeGreaterThan(50);
  });

  it("cross once, on the first bar after the longer one closed", () => {
    const fired = firings(
      when({ left: longerClose, is: "crosses-above", right: { ...longerClose, barsBack: 3 } }),
      bars,
    );
    expect(fired.length).toBeGreaterThan(5);
    expect(fired.every((openTimeMs) => openTimeMs % (4 * HOUR_MS) === 0)).toBe(true);
  });

  it("do not let a comparison hold while one of the last two is missing", () => {
    const from = 800 - (((bars[0]?.openTimeMs ?? 0) / HOUR_MS) % 4);
    const always = when({
      left: { ...longerClose, barsBack: 1 },
      is: "above",
      right: number(0),
    });
    const gap = [...bars.slice(0, from), ...bars.slice(from + 4)];
    const missing = bars.map(({ openTimeMs }) => openTimeMs);
    const fired = new Set(firings(always, gap));
    const silent = missing.slice(from - 8, from + 16).filter((time) => !fired.has(time));
    // The four hours themselves, the four that would read them, and the four whose last two they are one of
    expect(silent).toEqual(missing.slice(from, from + 12));
    // An hour alone does not make its longer bar missing; only the bar after the gap is silent, as without longer bars
    const short = [...bars.slice(0, from + 1), ...bars.slice(from + 2)];
    const heard = new Set(firings(always, short));
    expect(missing.slice(from - 8, from + 16).filter((time) => !heard.has(time))).toEqual(
      missing.slice(from + 1, from + 3),
    );
  });
});

describe("another asset's bars", () => {
  const hours = randomBars(7, 600);
  const beside = (bar: Bar) => bar.beside?.["BTC"];
  const firedOn = (condition: AlertCondition, bars: readonly Bar[]) => {
    const evaluator = createConditionEvaluator([{ alertKey: "a", condition }], 60);
    return bars.flatMap((bar) => (evaluator.next(bar).length > 0 ? [bar.openTimeMs] : []));
  };
  const rises = when({ left: { ...close, on: { asset: "BTC" } }, is: "rises-for", bars: 1 });

  it("are read as the last one that closed before the agent's bar did", () => {
    const expected = hours.slice(200).filter((bar, at) => {
      const [now, before] = [beside(bar), beside(hours[199 + at] as Bar)];
      expect(now?.closeTimeMs).toBe(bar.openTimeMs);
      return (now?.close ?? 0) > (before?.close ?? 0);
    });
    expect(expected.length).toBeGreaterThan(100);
    expect(firedOn(rises, hours)).toEqual(expected.map(({ openTimeMs }) => openTimeMs));
  });

  it("give longer bars the figures that their own evaluator gives", () => {
    const theirs = hours.flatMap((bar) => beside(bar) ?? []);
    const longer = { kind: "price", field: "high", on: { interval: "4h" } } as const;
    const condition = (on: object) =>
      when({ left: { ...longer, on: { ...longer.on, ...on } }, is: "rises-for", bars: 1 });
    // Their own evaluator reads a bar an hour earlier than one beside which they lie
    const own = firedOn(condition({}), theirs).map((openTimeMs) => openTimeMs + HOUR_MS);
    const read = firedOn(condition({ asset: "BTC" }), hours);
    const later = (times: readonly number[]) =>
      times.filter((time) => time % (4 * HOUR_MS) !== 0 && time > (hours[210]?.openTimeMs ?? 0));
    expect(later(read)).toEqual(later(own));
    expect(later(read).length).toBeGreaterThan(50);
  });

  it("do not let a comparison hold while one of the last two is missing", () => {
    const always = when({
      left: { ...close, on: { asset: "BTC" } },
      is: "above",
      right: number(0),
    });
    const gap = hours.map((bar, at) => (at === 400 ? { ...bar, beside: {} } : bar));
    const fired = new Set(firedOn(always, gap));
    const silent = hours.slice(390, 410).filter(({ openTimeMs }) => !fired.has(openTimeMs));
    expect(silent).toEqual(hours.slice(400, 402));
  });
});
