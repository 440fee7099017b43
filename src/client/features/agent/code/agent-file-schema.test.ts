import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaleFreeCondition } from "../../../../../test/random-conditions.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { schemaHandlers } from "../../../../server/routes/schemas.ts";
import { agentFileOf, jsonText } from "./agent-file-text.ts";
import { readAgentFile } from "./strategy-code.tsx";

const AGENT = {
  marketId: "SOL-PERP",
  interval: "1h",
  venue: "drift",
  slippagePercent: 0.5,
  positionSizePercent: 40,
  maxSignalAgeSeconds: 120,
} as unknown as Agent;

type Condition = Parameters<typeof agentFileOf>[1][number]["condition"];

const exported = (condition?: Condition): Json =>
  JSON.parse(
    jsonText(
      agentFileOf(
        AGENT,
        [
          { id: "a", name: "dip", description: "RSI", ...(condition && { condition }) },
          { id: "b", name: "top", description: "" },
        ],
        [
          {
            id: "c",
            agentId: AGENT.id,
            action: "OPEN_LONG",
            conditions: [{ alertName: "dip", requiredCount: 2, count: 1 }],
          },
        ],
      ),
    ),
  ) as Json;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The schema as it is published, read by a validator that is not the one it was made by. */
const schema = JSON.parse(
  JSON.stringify(await schemaHandlers().getAgentFileSchema({} as never)),
) as object;
const isValid = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
const isTaken = (file: Json) => readAgentFile(JSON.stringify(file)).ok;

const rsi = (parts: object = {}) => ({
  kind: "comparisons",
  all: [
    {
      left: { kind: "indicator", name: "RSI", output: "value", parameters: [14], ...parts },
      is: "above",
      right: { kind: "number", value: 30 },
    },
  ],
});
const whole = exported() as { [key: string]: Json };
const withCondition = (condition: object): Json => ({
  ...whole,
  alerts: [{ name: "dip", condition: condition as Json }],
});

const price = { kind: "price", field: "close" };
const obv = { kind: "indicator", name: "OBV", output: "value", parameters: [] };
const macd = (fast: number, slow: number) => ({
  kind: "indicator",
  name: "MACD",
  output: "line",
  parameters: [fast, slow, 9],
});
const pair = (left: object, right: object) => ({
  kind: "comparisons",
  all: [{ left, is: "above", right }],
});
const trend = (left: object) => ({
  kind: "comparisons",
  all: [{ left, is: "rises-for", bars: 2 }],
});

/** Operands of every kind that a rule between two of them, or within one, can refuse. */
const operand = fc.oneof(
  fc.record({ kind: fc.constant("number"), value: fc.constantFrom(0, -1e12, 1e12, 1.1e12, -1e13) }),
  fc.constantFrom<object[]>(price, obv, { ...obv, barsBack: 3 }, { ...price, barsBack: 51 }),
  fc
    .tuple(fc.integer({ min: 0, max: 501 }), fc.integer({ min: 1, max: 501 }))
    .map(([fast, slow]) => macd(fast, slow)),
);

const days = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 8 }),
);
const word = fc.string({ unit: "binary", maxLength: 6 });

/** Files whose parts are well-formed each, but need not make sense together. */
const anyFile = fc
  .record({
    left: operand,
    right: operand,
    isTrend: fc.boolean(),
    days: fc.option(days),
    at: days,
    name: word,
    description: word,
    market: fc.oneof({ weight: 5, arbitrary: fc.constantFrom("SOL-PERP", "x") }, word),
    interval: fc.oneof({ weight: 5, arbitrary: fc.constantFrom("1h", "90000m") }, word),
  })
  .map(({ left, right, isTrend, days: on, at, name, description, market, interval }): Json => {
    const compared = isTrend ? trend(left) : pair(left, right);
    const session = on === null ? {} : { session: { days: on, fromUtc: "08:00", toUtc: "09:00" } };
    const timed = { kind: "time-of-day", atUtc: "08:00", days: at };
    const alerts = [
      { name: "dip", description, condition: { ...compared, ...session } },
      { name, condition: at.length > 3 ? timed : rsi() },
    ];
    const texts = on === null ? {} : { market, interval };
    return { ...whole, ...texts, alerts: alerts as unknown as Json };
  });

const REFUSED: readonly (readonly [string, Json])[] = [
  ["an empty file", {}],
  ["a list", [whole]],
  ["another format", { ...whole, format: "other" }],
  ["another version", { ...whole, version: 2 }],
  ["somebody's id", { ...whole, botId: "x" }],
  ["an alert's id", { ...whole, alerts: [{ name: "dip", _id: "x" }] }],
  ["a venue that is none", { ...whole, venue: "binance" }],
  ["a size above 100", { ...whole, positionSizePercent: 101 }],
  ["a size in parts", { ...whole, positionSizePercent: 0.5 }],
  ["a slippage below zero", { ...whole, slippagePercent: -1 }],
  ["a number as text", { ...whole, maxSignalAgeSeconds: "120" }],
  ["an alert without a name", { ...whole, alerts: [{ name: "" }] }],
  ["a rule without a condition", { ...whole, rules: [{ action: "OPEN_LONG", conditions: [] }] }],
  ["a signal that is none", { ...whole, rules: [{ action: "BUY", conditions: [{ alert: "x" }] }] }],
  ["an unknown indicator", withCondition(rsi({ name: "MAGIC" }))],
  ["a period out of range", withCondition(rsi({ parameters: [501] }))],
  ["no period", withCondition(rsi({ parameters: [] }))],
  ["a period too many", withCondition(rsi({ parameters: [14, 3] }))],
  ["an output it has not", withCondition(rsi({ output: "signal" }))],
  [
    "a comparison with both",
    withCondition({ kind: "comparisons", all: [{ ...rsi().all[0], bars: 3 }] }),
  ],
  ["five comparisons", withCondition({ kind: "comparisons", all: Array(5).fill(rsi().all[0]) })],
  ["a time that is none", withCondition({ kind: "time-of-day", atUtc: "24:00" })],
  ["a day twice", withCondition({ kind: "time-of-day", atUtc: "08:00", days: [1, 2, 1] })],
  ["a number that rises", withCondition(trend({ kind: "number", value: 1 }))],
  ["two numbers", withCondition(pair({ kind: "number", value: 1 }, { kind: "number", value: 2 }))],
  ["a number beyond reason", withCondition(pair(price, { kind: "number", value: 1e13 }))],
  ["OBV beside a price", withCondition(pair(obv, price))],
  ["a number beside OBV", withCondition(pair({ kind: "number", value: 1 }, obv))],
  ["a MACD that is slower when fast", withCondition(pair(macd(26, 12), price))],
  ["a MACD of one speed", withCondition(pair(macd(12, 12), price))],
  ["a name with a bell", { ...whole, alerts: [{ name: "a\u0007b" }] }],
  ["a name on two lines", { ...whole, alerts: [{ name: "a\nb" }] }],
  ["half a character", { ...whole, alerts: [{ name: "\ud83d" }] }],
  ["a description with a bell", { ...whole, alerts: [{ name: "a", description: "\u0007" }] }],
  ["a market on two lines", { ...whole, market: "SOL\u2028PERP" }],
  ["an eighth day", withCondition({ kind: "time-of-day", atUtc: "08:00", days: [8] })],
];

describe("the published schema, read by another validator", () => {
  it("is itself a valid schema", () => {
    const ajv = new Ajv2020({ strict: true });
    expect(ajv.validateSchema(schema)).toBe(true);
  });

  it("accepts every exported file with any conditions", () => {
    fc.assert(
      fc.property(scaleFreeCondition, (condition) => {
        expect([isValid(exported(condition)), isValid.errors]).toEqual([true, null]);
      }),
    );
  });

  it.each(REFUSED)("refuses %s, as the import does", (_, file) => {
    expect([isTaken(file), isValid(file)]).toEqual([false, false]);
  });

  it("accepts a MACD exactly when fast is shorter than slow", () => {
    for (const [fast, slow] of [
      [1, 2],
      [1, 500],
      [249, 250],
      [250, 250],
      [251, 250],
      [499, 500],
      [500, 500],
      [500, 2],
    ] as const) {
      const file = withCondition(pair(macd(fast, slow), price));
      expect([isTaken(file), isValid(file)], `${fast} ${slow}`).toEqual([fast < slow, fast < slow]);
    }
  });

  it("agrees with the import on every combination of parts", () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(anyFile, (file) => {
        const taken = isTaken(file);
        seen[taken ? "taken" : "refused"] += 1;
        expect(isValid(file)).toBe(taken);
      }),
      { numRuns: 2_000 },
    );
    // Neither side is the whole of it
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
  });

  it("agrees with the import wherever a file is changed", () => {
    fc.assert(
      fc.property(scaleFreeCondition, fc.nat(), change, (condition, at, value) => {
        const file = exported(condition);
        const places = placesIn(file);
        const changed = changedAt(file, places[at % places.length] ?? [], value);
        expect(isValid(changed)).toBe(isTaken(changed));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Replacement values; undefined removes the field. */
const change: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<(Json | undefined)[]>(
    undefined,
    null,
    true,
    "",
    "x",
    "08:00",
    0,
    1,
    -1,
    0.5,
    51,
    501,
    [],
    {},
    [1, 2],
    { kind: "number", value: 1 },
    { kind: "every-bars", bars: 2 },
  ),
  fc.integer(),
  fc.constantFrom("above", "rises-for", "close", "RSI", "MACD", "signal", "OPEN_LONG", "jupiter"),
);

type Place = readonly (string | number)[];

function placesIn(value: Json, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  const inside = Array.isArray(value)
    ? value.flatMap((each, at) => placesIn(each, [...place, at]))
    : Object.entries(value).flatMap(([key, each]) => placesIn(each, [...place, key]));
  return [place, [...place, Array.isArray(value) ? value.length : "more"], ...inside];
}

function changedAt(value: Json, [key, ...rest]: Place, to: Json | undefined): Json {
  if (key === undefined) return to ?? null;
  if (Array.isArray(value)) {
    const list = [...value];
    if (rest.length === 0 && to === undefined) list.splice(Number(key), 1);
    else list[Number(key)] = changedAt(list[Number(key)] ?? null, rest, to);
    return list;
  }
  if (typeof value !== "object" || value === null) return value;
  const { [key]: before = null, ...others } = value;
  return rest.length === 0 && to === undefined
    ? others
    : { ...others, [key]: changedAt(before, rest, to) };
}
