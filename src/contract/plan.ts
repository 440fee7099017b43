import * as z from "zod/mini";
import {
  type AddOn,
  type Distance,
  PLAN_RANGES,
  type TargetDistance,
} from "../domain/plan/plan.ts";
import { renamed } from "./codec.ts";

/** Bounds are the widest; `findPlanFault` has those of each field. */
const decimal = z.number().check(z.minimum(0), z.maximum(1_000), z.multipleOf(0.01));
const whole = z.int().check(z.minimum(0), z.maximum(100_000));

const toHundredths = (value: number) => Math.round(value * 100);

/** A number with two decimals; hundredths inside. */
const hundredths = z.codec(decimal, z.custom<number>(), {
  decode: toHundredths,
  encode: (value) => value / 100,
});

const percent = z.strictObject({ percent: decimal });
const ofPercent = (sent: { readonly percent: number }) =>
  ({ kind: "percent", bps: toHundredths(sent.percent) }) as const;

const distance = z.codec(
  z.union([percent, z.strictObject({ atr: whole, times: decimal })]),
  z.custom<Distance>(),
  {
    decode: (at): Distance =>
      "percent" in at
        ? ofPercent(at)
        : { kind: "atr", length: at.atr, timesHundredths: toHundredths(at.times) },
    encode: (at) =>
      at.kind === "percent"
        ? { percent: at.bps / 100 }
        : { atr: at.length, times: at.timesHundredths / 100 },
  },
);

const targetAt = z.codec(
  z.union([percent, z.strictObject({ r: decimal })]),
  z.custom<TargetDistance>(),
  {
    decode: (at): TargetDistance =>
      "percent" in at ? ofPercent(at) : { kind: "r", timesHundredths: toHundredths(at.r) },
    encode: (at) =>
      at.kind === "percent" ? { percent: at.bps / 100 } : { r: at.timesHundredths / 100 },
  },
);

const addOn = z.codec(
  z.union([
    z.literal("signal"),
    z.strictObject({ against: decimal }),
    z.strictObject({ favour: decimal }),
  ]),
  z.custom<AddOn>(),
  {
    decode: (on): AddOn => {
      if (on === "signal") return { kind: on };
      return "against" in on
        ? { kind: "against", bps: toHundredths(on.against) }
        : { kind: "favour", bps: toHundredths(on.favour) };
    },
    encode: (on) => {
      if (on.kind === "signal") return on.kind;
      return on.kind === "against" ? { against: on.bps / 100 } : { favour: on.bps / 100 };
    },
  },
);

const trail = renamed(z.strictObject({ after: hundredths, by: distance, step: hundredths }), {
  after: "afterBps",
  step: "stepBps",
});

const stop = renamed(
  z.strictObject({
    at: distance,
    trail: z.optional(trail),
    breakEvenAfter: z.optional(hundredths),
  }),
  { breakEvenAfter: "breakEvenAfterBps" },
);

/** `close` is percent of the largest size held. */
const target = renamed(z.strictObject({ at: targetAt, close: whole }), { close: "closePercent" });

/** `size` is percent of the first entry. */
const adds = renamed(z.strictObject({ on: addOn, times: whole, size: whole }), {
  size: "sizePercent",
});

/** What an agent does with a position once it is open. Percents are numbers with at most two decimals. */
export const plan = renamed(
  z.strictObject({
    stop: z.optional(stop),
    targets: z.optional(
      z.readonly(z.array(target).check(z.minLength(1), z.maxLength(PLAN_RANGES.targets.most))),
    ),
    adds: z.optional(adds),
    /** Percent of the collateral, before leverage; absent: the entry's size. */
    maxPosition: z.optional(whole),
    /** Bars until the position is closed. */
    hold: z.optional(whole),
    /** Whether an entry whose stop had no level within 30 seconds is closed; absent: true. */
    closeWithoutStop: z.optional(z.boolean()),
  }),
  { maxPosition: "maxPositionPercent", hold: "holdBars" },
);

/** Leverage of an agent's entries. */
export const leverage = z
  .int()
  .check(z.minimum(PLAN_RANGES.leverage.least), z.maximum(PLAN_RANGES.leverage.most));
