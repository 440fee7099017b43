import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { AlertCondition } from "../domain/condition/condition.ts";
import { INDICATORS } from "../domain/condition/indicator-table.ts";
import type { Indicator } from "../domain/indicators/indicator.ts";
import { alertCondition } from "./condition.ts";

const close = { kind: "price", field: "close" } as const;
const thirty = { kind: "number", value: 30 } as const;
const above = { left: close, is: "above", right: thirty } as const;

const rsi = (changes: object = {}) => ({
  kind: "indicator",
  name: "RSI",
  output: "value",
  parameters: [14],
  ...changes,
});

const asking = (comparison: unknown) => ({ kind: "comparisons", all: [comparison] });
const left = (operand: unknown) => asking({ ...above, left: operand });

/** Returns the path of the first fault. */
const faultOf = (condition: unknown) => {
  const parsed = z.safeParse(alertCondition, condition);
  return parsed.success ? null : parsed.error.issues[0]?.path.join(".");
};

describe("alertCondition", () => {
  it("accepts every indicator with every output, its defaults and the limits of its ranges", () => {
    for (const [name, spec] of Object.entries<Indicator>(INDICATORS)) {
      for (const end of ["default", "min", "max"] as const) {
        const parameters = spec.parameters.map((parameter) => parameter[end]);
        for (const output of spec.outputs) {
          const indicator = { kind: "indicator", name, output, parameters, barsBack: 50 };
          expect([name, faultOf(left(indicator))]).toEqual([name, null]);
        }
      }
    }
  });

  it("refuses a parameter just outside its range and a superfluous one, for every indicator", () => {
    for (const [name, { parameters, outputs }] of Object.entries<Indicator>(INDICATORS)) {
      const usual = parameters.map((parameter) => parameter.default);
      const indicator = { kind: "indicator", name, output: outputs[0], parameters: usual };
      for (const [index, { min, max, isWhole }] of parameters.entries()) {
        for (const value of [min - 0.01, max + 0.01, ...(isWhole ? [min + 0.5] : [])]) {
          const changed = { ...indicator, parameters: usual.with(index, value) };
          expect([name, value, faultOf(left(changed))]).toEqual([
            name,
            value,
            `all.0.left.parameters.${index}`,
          ]);
        }
      }
      expect(faultOf(left({ ...indicator, parameters: [...usual, 1] }))).toBe(
        "all.0.left.parameters",
      );
    }
  });

  it.each<[string, AlertCondition]>([
    [
      "a session over midnight",
      {
        kind: "comparisons",
        all: [above],
        session: { days: [1, 7], fromUtc: "22:00", toUtc: "02:00" },
      },
    ],
    ["a rise", { kind: "comparisons", all: [{ left: close, is: "rises-for", bars: 50 }] }],
    [
      "a figure of the position",
      {
        kind: "comparisons",
        all: [{ ...above, left: { kind: "position", figure: "profit-percent" } }],
      },
    ],
    ["every 10,000 bars", { kind: "every-bars", bars: 10_000 }],
    ["a time of day", { kind: "time-of-day", atUtc: "23:59", days: [5] }],
  ])("accepts %s", (_name, condition) => {
    expect(z.parse(alertCondition, condition)).toEqual(condition);
  });

  it.each<[string, unknown, string]>([
    ["no comparison", { kind: "comparisons", all: [] }, "all"],
    ["five comparisons", { kind: "comparisons", all: Array(5).fill(above) }, "all"],
    ["an unknown indicator", left(rsi({ name: "RVI" })), "all.0.left.name"],
    ["an output of another indicator", left(rsi({ output: "signal" })), "all.0.left.output"],
    ["no parameters", left(rsi({ parameters: undefined })), "all.0.left.parameters"],
    ["a source where there is none", left(rsi({ name: "ATR", source: "close" })), "all.0.left"],
    ["51 bars back", left({ ...close, barsBack: 51 }), "all.0.left.barsBack"],
    ["a number that is none", left({ kind: "number", value: Number.NaN }), "all.0.left.value"],
    ["endless", left({ kind: "number", value: Infinity }), "all.0.left.value"],
    ["an unknown comparison", asking({ ...above, is: "equals" }), "all.0.is"],
    ["a rise of 0 bars", asking({ left: close, is: "rises-for", bars: 0 }), "all.0.bars"],
    ["a rise of 51 bars", asking({ left: close, is: "rises-for", bars: 51 }), "all.0.bars"],
    ["no pause", { kind: "every-bars", bars: 0 }, "bars"],
    ["a pause of 10,001 bars", { kind: "every-bars", bars: 10_001 }, "bars"],
    ["24:00", { kind: "time-of-day", atUtc: "24:00" }, "atUtc"],
    ["an eighth day", { kind: "time-of-day", atUtc: "08:00", days: [8] }, "days.0"],
    ["no day", { kind: "time-of-day", atUtc: "08:00", days: [] }, "days"],
    ["more than it may say", { kind: "every-bars", bars: 1, alertId: "x" }, ""],
    ["something else", { kind: "script" }, "kind"],
  ])("refuses %s", (_name, condition, fault) => {
    expect(faultOf(condition)).toBe(fault);
  });
});
