import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { scaleFreeCondition } from "../../../../test/random-conditions.ts";
import { agentFile } from "../../../contract/agent-file.ts";
import type { Agent } from "../../queries/agent.ts";
import { schemaHandlers } from "../../../server/routes/schemas.ts";
import { agentFileOf, jsonText } from "./agent-file-text.ts";

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
const isValid = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
const isTaken = (file: Json) => z.safeParse(agentFile, file).success;

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
  ["an eighth day", withCondition({ kind: "time-of-day", atUtc: "08:00", days: [8] })],
];

describe("the published schema, read by another validator", () => {
  it("is itself a valid schema", () => {
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validateSchema(schema)).toBe(true);
  });

  it("takes every file that is exported, whatever the conditions are", () => {
    fc.assert(
      fc.property(scaleFreeCondition, (condition) => {
        expect([isValid(exported(condition)), isValid.errors]).toEqual([true, null]);
      }),
    );
  });

  it.each(REFUSED)("refuses %s, as the import does", (_, file) => {
    expect([isTaken(file), isValid(file)]).toEqual([false, false]);
  });

  it("takes and refuses what the import does, wherever a file is changed", () => {
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
