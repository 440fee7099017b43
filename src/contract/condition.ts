import * as z from "zod/mini";
import {
  type AlertCondition,
  MAX_BARS_BACK,
  MAX_COMPARISONS,
  MAX_SCHEDULE_BARS,
  MAX_TREND_BARS,
} from "../domain/condition/condition.ts";
import {
  type IndicatorName,
  INDICATORS,
  POSITION_FIGURES,
  PRICE_FIELDS,
  specOf,
} from "../domain/condition/indicator-table.ts";
import type { IndicatorParameter } from "../domain/indicators/indicator.ts";

const priceField = z.enum(PRICE_FIELDS);

const barsBack = z.exactOptional(z.int().check(z.minimum(0), z.maximum(MAX_BARS_BACK)));

/** Closed bars of a longer interval or another asset; whether the agent can read them is checked with the agent. */
const on = z.exactOptional(
  z
    .strictObject({
      interval: z.exactOptional(z.string().check(z.regex(/^[1-9]\d{0,4}[mhdw]$/))),
      asset: z.exactOptional(z.string().check(z.regex(/^[A-Za-z0-9]{1,16}$/))),
    })
    .check(z.refine(({ interval, asset }) => interval !== undefined || asset !== undefined)),
);

const parameter = ({ min, max, isWhole }: IndicatorParameter) =>
  (isWhole ? z.int() : z.number()).check(z.minimum(min), z.maximum(max));

/** An indicator with exactly its own parameters, each within its range. */
const indicator = (name: IndicatorName) => {
  const { parameters, outputs, hasSource } = specOf(name);
  return z.strictObject({
    kind: z.literal("indicator"),
    name: z.literal(name),
    output: z.enum(outputs as [string, ...string[]]),
    parameters: z.tuple(parameters.map(parameter) as unknown as [z.ZodMiniNumber]),
    ...(hasSource ? { source: z.exactOptional(priceField) } : {}),
    barsBack,
    on,
  });
};

const indicators = (Object.keys(INDICATORS) as IndicatorName[]).map(indicator);

const operand = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("price"), field: priceField, barsBack, on }),
  z.strictObject({ kind: z.literal("number"), value: z.number() }),
  z.discriminatedUnion("name", indicators as [(typeof indicators)[number]]),
  z.strictObject({ kind: z.literal("position"), figure: z.enum(POSITION_FIGURES) }),
]);

const comparison = z.discriminatedUnion("is", [
  z.strictObject({
    left: operand,
    is: z.enum(["above", "below", "crosses-above", "crosses-below"]),
    right: operand,
  }),
  z.strictObject({
    left: operand,
    is: z.enum(["rises-for", "falls-for"]),
    bars: z.int().check(z.minimum(1), z.maximum(MAX_TREND_BARS)),
  }),
]);

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/));

/** ISO days of the week. */
const days = z
  .array(z.int().check(z.minimum(1), z.maximum(7)))
  .check(z.minLength(1), z.maxLength(7));

const condition = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("comparisons"),
    all: z.array(comparison).check(z.minLength(1), z.maxLength(MAX_COMPARISONS)),
    session: z.exactOptional(z.strictObject({ days, fromUtc: timeOfDay, toUtc: timeOfDay })),
  }),
  z.strictObject({
    kind: z.literal("every-bars"),
    bars: z.int().check(z.minimum(1), z.maximum(MAX_SCHEDULE_BARS)),
  }),
  z.strictObject({
    kind: z.literal("time-of-day"),
    atUtc: timeOfDay,
    days: z.exactOptional(days),
  }),
]);

/**
 * What must hold on a closed bar for an alert to fire; the domain checks whether a well-formed condition makes sense.
 */
export const alertCondition = condition as unknown as z.ZodMiniType<AlertCondition, AlertCondition>;

/** A condition as a form sends it: absent keeps the stored one; null removes it. */
export const conditionDraft = z.optional(z.nullable(alertCondition));
