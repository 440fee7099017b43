import { compileFunction } from "node:vm";
import { describe, expect, it } from "vitest";
import { wanderingBars } from "../../../test/simulated.ts";
import type { AlertCondition, Comparison, Operand } from "../../domain/condition/condition.ts";
import {
  createIndicator,
  INDICATORS,
  type IndicatorName,
} from "../../domain/condition/indicator-table.ts";
import type { Bar } from "../bar-times.ts";
import type { Indicator } from "../../domain/indicators/indicator.ts";
import { pineScript } from "./pine.ts";

/** Functions of Pine Script v6 that a script may call beside those of single indicators. https://www.tradingview.com/pine-script-reference/v6/ */
const PINE_FUNCTIONS: readonly string[] = [
  "alert",
  "indicator",
  "int",
  "math.abs",
  "math.floor",
  "math.max",
  "na",
  "nz",
  "plotshape",
  "request.security",
  "runtime.error",
  "str.contains",
  "str.format_time",
  "str.tostring",
  "ta.atr",
  "ta.ema",
  "ta.sma",
  "ta.wma",
  "timeframe.in_seconds",
];

const MESSAGE = String.raw`{"agentId":"a1","alertName":"say \"hi\" \\ o'clock","timestamp":"{{timenow}}","token":"t"}`;

const close: Operand = { kind: "price", field: "close" };
const number = (value: number): Operand => ({ kind: "number", value });
const when = (...all: Comparison[]): AlertCondition => ({ kind: "comparisons", all });
const indicator = (name: IndicatorName, output: string, more = {}): Operand => ({
  kind: "indicator",
  name,
  output,
  parameters: INDICATORS[name].parameters.map((each) => each.default),
  ...more,
});

const scriptOf = (condition: AlertCondition, interval = "1h", intervalMinutes = 60) =>
  pineScript({
    title: "SOL",
    interval,
    intervalMinutes,
    alerts: [{ name: "a", condition, message: MESSAGE }],
  });

const linesOf = (condition: AlertCondition): string[] => scriptOf(condition).text.split("\n");

/** Every construct of the grammar with its expected lines. */
const CONSTRUCTS: readonly [string, AlertCondition, readonly string[]][] = [
  [
    "above",
    when({ left: close, is: "above", right: number(1.5) }),
    ["fires1_1 = above(close, 1.5)"],
  ],
  ["below", when({ left: close, is: "below", right: number(-2) }), ["fires1_1 = above(-2, close)"]],
  [
    "crosses above, bars back",
    when({
      left: indicator("RSI", "value", { barsBack: 2, source: "high" }),
      is: "crosses-above",
      right: number(30),
    }),
    [
      "rsi_14_high = ta.rsi(high, 14)",
      "fires1_1 = crosses(rsi_14_high[2], 30, rsi_14_high[3], 30)",
    ],
  ],
  [
    "crosses below",
    when({ left: close, is: "crosses-below", right: indicator("EMA", "value") }),
    ["ema_20 = ta.ema(close, 20)", "fires1_1 = crosses(ema_20, close, ema_20[1], close[1])"],
  ],
  ["rises", when({ left: close, is: "rises-for", bars: 3 }), ["fires1_1 = rises(close, 3)"]],
  [
    "falls",
    when({ left: { ...close, barsBack: 1 }, is: "falls-for", bars: 1 }),
    ["fires1_1 = falls(close[1], 1)"],
  ],
  [
    "all of several, in a session over midnight",
    {
      kind: "comparisons",
      all: [
        { left: close, is: "above", right: { kind: "price", field: "open" } },
        { left: { kind: "price", field: "volume" }, is: "above", right: number(9) },
      ],
      session: { days: [7, 1], fromUtc: "22:00", toUtc: "06:00" },
    },
    [
      "fires1_1 = above(close, open)",
      "fires1_2 = above(volume, 9)",
      'fires1_3 = inSession(79200000, 28800000, "17")',
      "fires1 = isWarm and follows and fires1_1 and fires1_2 and fires1_3",
    ],
  ],
  ["every n bars", { kind: "every-bars", bars: 4 }, ["fires1_1 = barNumber(3600000, 0) % 4 == 0"]],
  [
    "time of day",
    { kind: "time-of-day", atUtc: "08:30" },
    ['fires1_1 = isDue(30600000, "1234567")'],
  ],
  [
    "time of day on days",
    { kind: "time-of-day", atUtc: "00:00", days: [5] },
    ['fires1_1 = isDue(0, "5")'],
  ],
  [
    "longer bars",
    when(
      {
        left: close,
        is: "crosses-above",
        right: indicator("EMA", "value", { on: { interval: "4h" } }),
      },
      {
        left: indicator("BB", "upper", { on: { interval: "4h" }, barsBack: 2 }),
        is: "above",
        right: { kind: "price", field: "high", on: { interval: "1d" } },
      },
    ),
    [
      "on240() =>",
      "    in_ema_20 = ta.ema(close, 20)",
      "    [in_bb_20_2_middle, in_bb_20_2_upper, in_bb_20_2_lower] = ta.bb(close, 20, 2)",
      "    [bar_index, in_ema_20[1], in_bb_20_2_upper[3]]",
      '[bars_on240, ema_20_on240, bb_20_2_upper_back2_on240] = request.security(syminfo.tickerid, "240", on240(), lookahead = barmerge.lookahead_on)',
      "    [bar_index, high[1]]",
      '[bars_on1440, high_on1440] = request.security(syminfo.tickerid, "1D", on1440(), lookahead = barmerge.lookahead_on)',
      "isWarm = bar_index >= 200 and bars_on240 >= 165 and bars_on1440 >= 3",
      "fires1_1 = crosses(close, ema_20_on240, close[1], ema_20_on240[1])",
      "fires1_2 = above(bb_20_2_upper_back2_on240, high_on1440)",
    ],
  ],
  [
    "another asset's bars",
    when(
      {
        left: close,
        is: "above",
        right: indicator("EMA", "value", { on: { asset: "BTC", interval: "4h" } }),
      },
      { left: { kind: "price", field: "close", on: { asset: "BTC" } }, is: "rises-for", bars: 2 },
    ),
    [
      'symbolBTC = input.symbol("BINANCE:BTCUSDT", "BTC")',
      "    [bar_index, in_ema_20[1]]",
      '[bars_onBTC240, ema_20_onBTC240] = request.security(symbolBTC, "240", onBTC240(), lookahead = barmerge.lookahead_on)',
      "[bars_onBTC, rises2_close_onBTC] = request.security(symbolBTC, timeframe.period, onBTC(), lookahead = barmerge.lookahead_on)",
      "isWarm = bar_index >= 200 and bars_onBTC240 >= 163 and bars_onBTC >= 4",
      "fires1_1 = above(close, ema_20_onBTC240)",
      "fires1_2 = rises2_close_onBTC",
    ],
  ],
  [
    "a trend of longer bars",
    when({
      left: { kind: "price", field: "close", on: { interval: "1w" } },
      is: "falls-for",
      bars: 2,
    }),
    [
      "    [bar_index, falls(close[1], 2)]",
      '[bars_on10080, falls2_close_on10080] = request.security(syminfo.tickerid, "1W", on10080(), lookahead = barmerge.lookahead_on)',
      "fires1_1 = falls2_close_on10080",
    ],
  ],
  [
    "one indicator twice",
    when(
      { left: indicator("BB", "upper"), is: "above", right: close },
      { left: indicator("BB", "width"), is: "above", right: number(5) },
    ),
    [
      "[bb_20_2_middle, bb_20_2_upper, bb_20_2_lower] = ta.bb(close, 20, 2)",
      "fires1_2 = above(bb_20_2_width, 5)",
    ],
  ],
];

const FUNCTIONS = [
  "input.symbol",
  ...PINE_FUNCTIONS,
  ...Object.values<Indicator>(INDICATORS).flatMap(({ pineFunctions = [] }) => pineFunctions),
];

/** Returns the names of all calls, including members of a definition. */
const calledIn = (text: string): Set<string> =>
  new Set([...withoutTexts(text).matchAll(/([A-Za-z_][\w.]*)\(/g)].map(([, name = ""]) => name));
const definedIn = (text: string): string[] =>
  [...text.matchAll(/^(\w+)\(.*\) =>$/gm)].map(([, name = ""]) => name);
const withoutTexts = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("//"))
    .join("\n")
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');

describe("conditions in Pine", () => {
  it.each(CONSTRUCTS)("%s", (_, condition, lines) => {
    for (const line of lines) expect(linesOf(condition)).toContain(line);
  });

  it.each(Object.entries(INDICATORS))(
    "%s: every output is defined before it is used",
    (name, spec) => {
      for (const output of spec.outputs) {
        const operand = indicator(name as IndicatorName, output);
        const text = withoutTexts(scriptOf(when({ left: operand, is: "rises-for", bars: 2 })).text);
        const [, used = ""] = /fires1_1 = rises\((\w+), 2\)/.exec(text) ?? [];
        const defined = new RegExp(String.raw`^(?:${used}|\[.*\b${used}\b.*\]) = `, "m");
        expect(text).toMatch(defined);
      }
    },
  );

  it("calls only its own functions and those of the table", () => {
    const everything = [
      ...CONSTRUCTS.map(([, condition]) => condition),
      ...Object.entries(INDICATORS).flatMap(([name, { outputs }]) =>
        outputs.map((output) =>
          when({ left: indicator(name as IndicatorName, output), is: "rises-for", bars: 2 }),
        ),
      ),
    ];
    const called = new Set<string>();
    for (const condition of everything) {
      const { text } = scriptOf(condition);
      const known = new Set([...FUNCTIONS, ...definedIn(text), "and", "or", "not"]);
      for (const name of calledIn(text)) {
        called.add(name);
        expect(known, `${name} in:\n${text}`).toContain(name);
      }
      for (const name of ["DAY", "isNewDay"]) {
        const isDefined = new RegExp(String.raw`^${name} = `, "m").test(text);
        expect(isDefined, text).toBe(new RegExp(String.raw`\b${name}\b`).test(text));
      }
    }
    expect(FUNCTIONS.filter((name) => !called.has(name))).toEqual([]);
  });

  it("sends the agent's message with the time as the platform writes it", () => {
    const line = linesOf({ kind: "every-bars", bars: 1 }).find((each) =>
      each.startsWith("    alert("),
    );
    const [, inside = ""] = /alert\((.*), alert\.freq_once_per_bar_close\)$/.exec(line ?? "") ?? [];
    // Pine unescapes a text as JSON does
    const parts = inside.split(" + now + ").map((part): string => JSON.parse(part) as string);
    expect(parts.join("{{timenow}}")).toBe(MESSAGE);
    expect(linesOf({ kind: "every-bars", bars: 1 })).toContain(
      `now = str.format_time(timenow, "yyyy-MM-dd'T'HH:mm:ss'Z'", "UTC")`,
    );
  });

  it("prevents comparisons, but not schedules, from firing on the first bar after a gap", () => {
    const compared = linesOf(when({ left: close, is: "above", right: number(1) }));
    expect(compared).toContain("follows = time == time_close[1]");
    expect(compared).toContain("fires1 = isWarm and follows and fires1_1");
    const scheduled = linesOf({ kind: "every-bars", bars: 4 });
    expect(scheduled).toContain("fires1 = isWarm and fires1_1");
    expect(scheduled.join()).not.toContain("follows");
  });

  it("names its differences from the agent's evaluation", () => {
    const { text, differs } = scriptOf({ kind: "every-bars", bars: 1 });
    expect(differs.length).toBeGreaterThan(1);
    for (const each of differs) expect(text).toContain(`// ${each}`);
  });

  it("leaves out conditions that only the agent can evaluate, and says so", () => {
    const profit: AlertCondition = when({
      left: { kind: "position", figure: "profit-percent" },
      is: "above",
      right: number(5),
    });
    const reason = "profit in % is known to the agent, not to a chart.";
    expect(scriptOf(profit)).toMatchObject({ text: "", leftOut: [{ name: "a", reason }] });
    const threeDays = when({
      left: close,
      is: "above",
      right: { ...close, on: { interval: "3d" } },
    });
    expect(scriptOf(threeDays)).toMatchObject({
      text: "",
      leftOut: [
        {
          name: "a",
          reason:
            "close on 3d: a chart counts bars of several days from another day than the agent.",
        },
      ],
    });
    const both = pineScript({
      title: "SOL",
      interval: "1h",
      intervalMinutes: 60,
      alerts: [
        { name: "take profit", condition: profit, message: MESSAGE },
        { name: "hourly", condition: { kind: "every-bars", bars: 1 }, message: MESSAGE },
      ],
    });
    expect(both.leftOut).toEqual([{ name: "take profit", reason }]);
    expect(both.text).toContain(`// Left out: take profit. ${reason}`);
    expect(both.text).toContain("// hourly: every bar");
  });

  it("refuses a chart of another interval, and counts weeks from a Monday", () => {
    const { text } = scriptOf({ kind: "every-bars", bars: 2 }, "1w", 10_080);
    expect(text).toContain("if timeframe.in_seconds() != 604800");
    expect(text).toContain("barNumber(604800000, 345600000) % 2 == 0");
  });
});

/**
 * Evaluates a variable of a script on bars, one line after the other: arithmetic, comparisons and choices read alike in
 * Pine and JavaScript. `na` is NaN; a division by zero is `na`.
 */
function evaluate(text: string, variable: string, bars: readonly Bar[]): number[] {
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith(variable))
    .map((line) => {
      const [name = "", expression = ""] = line.split(" = ");
      const script = expression
        .replaceAll(/sumOf\((\w+), /g, "sumOf('$1', ")
        .replaceAll(/(?<!')\b([a-z]\w*)\b(?:\[(\d+)\])?(?!['(])/g, "v('$1', $2)")
        .replaceAll(", )", ")");
      return { name, compute: compileFunction(`return ${script};`, ["v", "sumOf"]) };
    });
  const known = new Map<string, number[]>();
  const v = (name: string, back = 0) => known.get(name)?.at(-1 - back) ?? Number.NaN;
  const sumOf = (name: string, bars_: number) =>
    Array.from({ length: bars_ }, (_, back) => v(name, back)).reduce((sum, each) => sum + each, 0);
  const push = (name: string, value: number) =>
    known.set(name, [...(known.get(name) ?? []).slice(-300), value]);
  return bars.map(({ high, low, close: last, volume }) => {
    push("hlc3", (high + low + last) / 3);
    push("volume", volume);
    for (const { name, compute } of lines) {
      const value = compute(v, sumOf) as number;
      push(name, Number.isFinite(value) ? value : Number.NaN);
    }
    return v(variable);
  });
}

describe("the money flow index in Pine", () => {
  const text = scriptOf(when({ left: indicator("MFI", "value"), is: "above", right: number(1) }));
  const busy = wanderingBars(300, 4).map((bar, at) => ({ ...bar, volume: 1 + (at % 7) }));
  const rising = busy.map((bar, at) => ({ ...bar, high: at + 3, low: at + 1, close: at + 2 }));
  const flat = busy.map((bar) => ({ ...bar, high: 3, low: 1, close: 2 }));
  const half = Math.floor(busy.length / 2);

  it.each([
    ["rises and falls", busy],
    ["only rises: 100", rising],
    [
      "only falls: 0",
      rising.map((bar) => ({
        ...bar,
        high: 999 - bar.high,
        low: 997 - bar.low,
        close: 998 - bar.close,
      })),
    ],
    ["does not move: 50", flat],
    ["is not traded: 50", busy.map((bar) => ({ ...bar, volume: 0 }))],
    ["stops moving after it did: 50", [...busy.slice(0, half), ...flat.slice(half)]],
    [
      "moves by rounding only: 50",
      flat.map((bar, at) => ({ ...bar, close: 2 + (at % 3) * 4e-16 })),
    ],
  ])("equals the agent's where the price %s", (_, bars) => {
    const ours = createIndicator("MFI", [14], 3);
    const expected = bars.map(({ open, high, low, close: last, volume, openTimeMs }) => {
      ours.next(Float64Array.from([open, high, low, last, volume, openTimeMs]));
      return ours.values[0] ?? Number.NaN;
    });
    const inPine = evaluate(text.text, "mfi_14", bars);
    for (let at = 20; at < bars.length; at += 1) {
      expect(inPine[at], `bar ${at}`).toBeCloseTo(expected[at] ?? expect.fail("none"), 9);
    }
  });
});
