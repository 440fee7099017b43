import * as z from "zod/mini";
import {
  type AddOn,
  type Distance,
  type Plan,
  PLAN_RANGES,
  type TargetDistance,
} from "../domain/plan/plan.ts";

/** Bounds are the widest; `findPlanFault` has those of each field. */
const percent = z.number().check(z.minimum(0), z.maximum(1_000), z.multipleOf(0.01));
const times = z.number().check(z.minimum(0), z.maximum(100), z.multipleOf(0.01));
const whole = z.int().check(z.minimum(0), z.maximum(100_000));

const distance = z.union([z.strictObject({ percent }), z.strictObject({ atr: whole, times })]);

const onWire = z.strictObject({
  stop: z.optional(
    z.strictObject({
      at: distance,
      trail: z.optional(z.strictObject({ after: percent, by: distance, step: percent })),
      breakEvenAfter: z.optional(percent),
    }),
  ),
  targets: z.optional(
    z
      .array(
        z.strictObject({
          at: z.union([z.strictObject({ percent }), z.strictObject({ r: times })]),
          /** Percent of the largest size held. */
          close: whole,
        }),
      )
      .check(z.minLength(1), z.maxLength(PLAN_RANGES.targets.most)),
  ),
  adds: z.optional(
    z.strictObject({
      on: z.union([
        z.literal("signal"),
        z.strictObject({ against: percent }),
        z.strictObject({ favour: percent }),
      ]),
      times: whole,
      /** Percent of the first entry. */
      size: whole,
    }),
  ),
  /** Percent of the collateral, before leverage; absent: the entry's size. */
  maxPosition: z.optional(whole),
  /** Bars until the position is closed. */
  hold: z.optional(whole),
  /** Whether an entry whose stop could not be placed within 30 seconds is closed; absent: true. */
  closeWithoutStop: z.optional(z.boolean()),
});

type PlanOnWire = z.infer<typeof onWire>;
type DistanceOnWire = z.infer<typeof distance>;

const hundredths = (value: number) => Math.round(value * 100);

const distanceOf = (at: DistanceOnWire): Distance =>
  "percent" in at
    ? { kind: "percent", bps: hundredths(at.percent) }
    : { kind: "atr", length: at.atr, timesHundredths: hundredths(at.times) };

const distanceText = (at: Distance): DistanceOnWire =>
  at.kind === "percent"
    ? { percent: at.bps / 100 }
    : { atr: at.length, times: at.timesHundredths / 100 };

const targetOf = (at: { percent: number } | { r: number }): TargetDistance =>
  "percent" in at
    ? { kind: "percent", bps: hundredths(at.percent) }
    : { kind: "r", timesHundredths: hundredths(at.r) };

function addOnOf(on: "signal" | { against: number } | { favour: number }): AddOn {
  if (on === "signal") return { kind: "signal" };
  return "against" in on
    ? { kind: "against", bps: hundredths(on.against) }
    : { kind: "favour", bps: hundredths(on.favour) };
}

function planOf({ stop, targets, adds, maxPosition, hold, closeWithoutStop }: PlanOnWire): Plan {
  return {
    ...(stop && {
      stop: {
        at: distanceOf(stop.at),
        ...(stop.trail && {
          trail: {
            afterBps: hundredths(stop.trail.after),
            by: distanceOf(stop.trail.by),
            stepBps: hundredths(stop.trail.step),
          },
        }),
        ...(stop.breakEvenAfter !== undefined && {
          breakEvenAfterBps: hundredths(stop.breakEvenAfter),
        }),
      },
    }),
    ...(targets && {
      targets: targets.map(({ at, close }) => ({ at: targetOf(at), closePercent: close })),
    }),
    ...(adds && { adds: { on: addOnOf(adds.on), times: adds.times, sizePercent: adds.size } }),
    ...(maxPosition !== undefined && { maxPositionPercent: maxPosition }),
    ...(hold !== undefined && { holdBars: hold }),
    ...(closeWithoutStop !== undefined && { closeWithoutStop }),
  };
}

/** Returns a plan as it goes over the wire and into files. */
export function planOnWire({ stop, targets, adds, ...rest }: Plan): PlanOnWire {
  const { maxPositionPercent, holdBars, closeWithoutStop } = rest;
  const on = adds?.on;
  return {
    ...(stop && {
      stop: {
        at: distanceText(stop.at),
        ...(stop.trail && {
          trail: {
            after: stop.trail.afterBps / 100,
            by: distanceText(stop.trail.by),
            step: stop.trail.stepBps / 100,
          },
        }),
        ...(stop.breakEvenAfterBps !== undefined && {
          breakEvenAfter: stop.breakEvenAfterBps / 100,
        }),
      },
    }),
    ...(targets && {
      targets: targets.map(({ at, closePercent }) => ({
        at: at.kind === "percent" ? { percent: at.bps / 100 } : { r: at.timesHundredths / 100 },
        close: closePercent,
      })),
    }),
    ...(adds &&
      on && {
        adds: {
          on:
            on.kind === "signal"
              ? ("signal" as const)
              : on.kind === "against"
                ? { against: on.bps / 100 }
                : { favour: on.bps / 100 },
          times: adds.times,
          size: adds.sizePercent,
        },
      }),
    ...(maxPositionPercent !== undefined && { maxPosition: maxPositionPercent }),
    ...(holdBars !== undefined && { hold: holdBars }),
    ...(closeWithoutStop !== undefined && { closeWithoutStop }),
  };
}

/** What an agent does with a position once it is open. Percents are numbers with at most two decimals. */
export const plan = z.codec(onWire, z.custom<Plan>(), { decode: planOf, encode: planOnWire });

/** Leverage of an agent's entries. */
export const leverage = z
  .int()
  .check(z.minimum(PLAN_RANGES.leverage.least), z.maximum(PLAN_RANGES.leverage.most));
