import { describe, expect, it } from "vitest";
import type { AlertCondition } from "../../../../domain/condition/condition.ts";
import { barSpanAt, type Bar } from "../../../../strategy/bar-times.ts";
import { nextFigures, nextScheduled, openBar } from "./next-decision.tsx";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);

const barAt = (index: number, close: number, minutes = 60): Bar => ({
  ...barSpanAt(minutes, START + index * minutes * 60_000),
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 10,
});

const closeAbove = (value: number): AlertCondition => ({
  kind: "comparisons",
  all: [{ left: { kind: "price", field: "close" }, is: "above", right: { kind: "number", value } }],
});

/** A price that rises for two bars and falls for one; its RSI of 14 bars settles between 60 and 72. */
const closed = Array.from({ length: 300 }, (_, at) => barAt(at, 100 + (at % 3)));

describe("the figures of the next bar", () => {
  it("are those of the bar that is still open, beside the threshold", () => {
    const open = barAt(300, 134.356789);
    const [shown] = nextFigures(
      [{ alertKey: "high", condition: closeAbove(130) }],
      { closed, open },
      60,
    );
    expect(shown).toEqual({
      alertKey: "high",
      lines: ["close 134.357, fires above 130"],
      wouldFire: true,
    });
  });

  it("say on which cross an indicator fires, rounded for reading", () => {
    const condition: AlertCondition = {
      kind: "comparisons",
      all: [
        {
          left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
          is: "crosses-below",
          right: { kind: "number", value: 30 },
        },
      ],
    };
    const [shown] = nextFigures([{ alertKey: "low", condition }], { closed, open: null }, 60);
    expect(shown?.lines[0]).toMatch(/^RSI 14 \d\d(\.\d)?, fires on a cross below 30$/);
    expect(shown?.wouldFire).toBe(false);
  });

  it("name both figures where two are compared, and what else the condition needs", () => {
    const ema = (period: number) =>
      ({ kind: "indicator", name: "EMA", output: "value", parameters: [period] }) as const;
    const condition: AlertCondition = {
      kind: "comparisons",
      all: [
        { left: ema(20), is: "crosses-above", right: ema(50) },
        { left: { kind: "price", field: "close" }, is: "rises-for", bars: 3 },
        {
          left: { kind: "position", figure: "profit-percent" },
          is: "above",
          right: { kind: "number", value: 3 },
        },
      ],
    };
    // More bars than the 8 × 50 that an average of 50 warms up in
    const long = Array.from({ length: 500 }, (_, at) => barAt(at, 100 + (at % 3)));
    const [shown] = nextFigures([{ alertKey: "up", condition }], { closed: long, open: null }, 60);
    expect(shown?.lines).toEqual([
      expect.stringMatching(
        /^EMA 20 10[01](\.\d+)?, needs a cross above EMA 50 \(10[01](\.\d+)?\)$/,
      ) as string,
      "close 101, needs 3 rising bars",
      "profit in % of an open position, needs above 3",
    ]);
  });

  it("never round whole units of a price away", () => {
    const [shown] = nextFigures(
      [{ alertKey: "high", condition: closeAbove(1_300_000) }],
      { closed, open: barAt(300, 1_234_567.8) },
      60,
    );
    expect(shown?.lines[0]).toBe("close 1234568, fires above 1300000");
  });
});

describe("the bar that is still open", () => {
  const span = barSpanAt(60, START);

  it("is made of the shorter bars since it opened", () => {
    const minutes = [barAt(0, 10, 1), barAt(1, 14, 1), barAt(2, 8, 1), barAt(3, 9, 1)];
    expect(openBar([barAt(-1, 99, 1), ...minutes], span)).toEqual({
      ...span,
      open: 10,
      high: 15,
      low: 7,
      close: 9,
      volume: 40,
    });
  });

  it("is unknown in its first minute", () => {
    expect(openBar([], span)).toBeNull();
    expect(openBar([barAt(-1, 99, 1)], span)).toBeNull();
  });
});

describe("a schedule's next firing", () => {
  it("is the close at or after its time of day, on its days", () => {
    const mondays = { kind: "time-of-day", atUtc: "12:00", days: [1] } as const;
    // 5 January 2026 is a Monday
    expect(nextScheduled(mondays, 60, START)).toBe(START + 12 * HOUR);
    expect(nextScheduled(mondays, 60, START + 13 * HOUR)).toBe(START + (7 * 24 + 12) * HOUR);
  });

  it("counts bars as the server does", () => {
    const everyFour = { kind: "every-bars", bars: 4 } as const;
    const next = nextScheduled(everyFour, 60, START + HOUR);
    expect(next).not.toBeNull();
    expect(((next ?? 0) / HOUR - 1) % 4).toBe(0);
  });
});
