import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  createIndicator,
  type IndicatorName,
  INDICATORS,
  specOf,
} from "../condition/indicator-table.ts";
import { CLOSE } from "./indicator.ts";

const rowsOf = (file: string): string[][] =>
  readFileSync(new URL(`../../../test/recorded/indicators/${file}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(1)
    .map((line) => line.split(","));

const barsOf = (file: string) => rowsOf(file).map((row) => row.map(Number));
const daily = barsOf("daily-bars.csv");
const minutes = barsOf("minute-bars.csv");

/** Returns every output of an indicator after each bar; the bars are one minute each, from 00:00 UTC. */
function courseOf(name: IndicatorName, parameters: readonly number[], bars: readonly number[][]) {
  const indicator = createIndicator(name, parameters, CLOSE);
  return bars.map((bar, index) => {
    indicator.next(Float64Array.of(...bar, index * 60_000));
    return [...indicator.values];
  });
}

const tables = new Map<string, string[][]>();
for (const row of rowsOf("reference.csv")) {
  const key = row.slice(0, 4).join(",");
  tables.set(key, [...(tables.get(key) ?? []), row]);
}

describe("indicators against published values, to 1e-9", () => {
  it.each([...tables])("%s", (key, rows) => {
    const [name = "", parameters = "", output = ""] = key.split(",");
    const known = name as IndicatorName;
    const spec = specOf(known);
    const bars = known === "VWAP" ? minutes : daily;
    const course = courseOf(known, parameters.split(" ").filter(Boolean).map(Number), bars);
    for (const [, , , , bar, published] of rows) {
      const value = course[Number(bar)]?.[spec.outputs.indexOf(output)] ?? Number.NaN;
      const expected = Number(published);
      expect(
        Math.abs(value - expected),
        `bar ${bar}: ${value}, published ${published}`,
      ).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));
    }
  });

  it("every output of every indicator has a table", () => {
    const held = new Set([...tables.keys()].map((key) => key.split(",").slice(0, 3).join(",")));
    const named = [...held].map((key) =>
      key
        .split(",")
        .filter((_, index) => index !== 1)
        .join(" "),
    );
    for (const [name, { outputs }] of Object.entries(INDICATORS)) {
      for (const output of outputs) expect(named).toContain(`${name} ${output}`);
    }
  });
});

const numbersOf = (text = ""): number[] => (text === "" ? [] : text.split(",").map(Number));

const examples = rowsOf("achelis.txt").map((row) => row.join(",").split(";"));

describe("indicators against a textbook's examples, to its three decimals", () => {
  it.each(examples)("%s %s %s", (name = "", parameters = "", output = "", ...columns) => {
    const [high = [], low = [], close = [], volume = [], values = []] = columns.map(numbersOf);
    const bars = close.map((price, i) => [
      price,
      high[i] ?? price,
      low[i] ?? price,
      price,
      volume[i] ?? 1,
    ]);
    const known = name as IndicatorName;
    const spec = specOf(known);
    const course = courseOf(known, parameters.split(" ").filter(Boolean).map(Number), bars);
    const figures = course.map((figure) => figure[spec.outputs.indexOf(output)] ?? Number.NaN);
    for (const [index, value] of values.entries()) {
      const ours = figures[figures.length - values.length + index] ?? Number.NaN;
      expect(Math.abs(ours - value), `${ours}, published ${value}`).toBeLessThan(1e-3);
    }
  });
});
