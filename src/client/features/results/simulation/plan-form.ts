import { parseDecimal } from "../../../../domain/amount.ts";
import { findPlanFault, type PlanContext } from "../../../../domain/plan/check-plan.ts";
import type { Plan, Target } from "../../../../domain/plan/plan.ts";

/** Fields of a plan's form, in the order they are shown. */
export const PLAN_FIELDS = [
  "stop",
  "breakEven",
  "trailAfter",
  "trailBy",
  "target1",
  "part1",
  "target2",
  "part2",
  "hold",
  "leverage",
] as const;

export type PlanField = (typeof PLAN_FIELDS)[number];

/** Typed texts; an empty one asks for nothing. */
export type PlanForm = Readonly<Record<PlanField, string>>;

export const EMPTY_PLAN_FORM: PlanForm = {
  stop: "",
  breakEven: "",
  trailAfter: "",
  trailBy: "",
  target1: "",
  part1: "",
  target2: "",
  part2: "",
  hold: "",
  leverage: "",
};

/** Largest step of a trailing stop that the form asks for, in basis points. */
const STEP_BPS = 25;

/** A plan as read from its form, or what is wrong beside the first field it is wrong at. */
export type ReadPlan =
  | { readonly ok: true; readonly plan: Plan | null; readonly leverage: number }
  | { readonly ok: false; readonly field: PlanField; readonly message: string };

/** Form fields of the paths that a plan's faults name. */
const PLACES: Readonly<Record<string, PlanField>> = {
  "plan.stop.at": "stop",
  "plan.stop.breakEvenAfter": "breakEven",
  "plan.stop.trail.after": "trailAfter",
  "plan.stop.trail.by": "trailBy",
  "plan.stop.trail.step": "trailBy",
  "plan.targets.0.at": "target1",
  "plan.targets.0.close": "part1",
  "plan.targets.1.at": "target2",
  "plan.targets.1.close": "part2",
  "plan.hold": "hold",
  leverage: "leverage",
};

const DECIMALS: Readonly<Partial<Record<PlanField, number>>> = {
  part1: 0,
  part2: 0,
  hold: 0,
  leverage: 0,
};

/** Returns the plan and leverage of a form, checked for an agent. */
export function readPlanForm(form: PlanForm, context: Omit<PlanContext, "leverage">): ReadPlan {
  const wrong = (field: PlanField, message: string): ReadPlan => ({ ok: false, field, message });
  const unread = PLAN_FIELDS.find(
    (field) => form[field] !== "" && parseDecimal(form[field], DECIMALS[field] ?? 2) === null,
  );
  if (unread !== undefined) return wrong(unread, "A number is needed here.");
  const figureOf = (field: PlanField): number | undefined =>
    form[field] === "" ? undefined : Math.round(Number(form[field]) * 10 ** (DECIMALS[field] ?? 2));
  const [stop, breakEven, trailAfter, trailBy] = [
    figureOf("stop"),
    figureOf("breakEven"),
    figureOf("trailAfter"),
    figureOf("trailBy"),
  ];
  if (stop === undefined && (breakEven ?? trailAfter ?? trailBy) !== undefined) {
    return wrong("stop", "Break-even and a trail move a stop: it needs its first level.");
  }
  if ((trailAfter === undefined) !== (trailBy === undefined)) {
    const field = trailAfter === undefined ? "trailAfter" : "trailBy";
    return wrong(field, "A trail needs both figures.");
  }
  const targets: Target[] = [];
  for (const [at, part] of [
    ["target1", "part1"],
    ["target2", "part2"],
  ] as const) {
    const [bps, closePercent] = [figureOf(at), figureOf(part)];
    if ((bps === undefined) !== (closePercent === undefined)) {
      return wrong(bps === undefined ? at : part, "A target needs its profit and its part.");
    }
    if (bps === undefined || closePercent === undefined) continue;
    targets.push({ at: { kind: "percent", bps }, closePercent });
  }
  if (form.target1 === "" && form.target2 !== "")
    return wrong("target1", "Fill the first target first.");
  const holdBars = figureOf("hold");
  const plan: Plan = {
    ...(stop !== undefined && {
      stop: {
        at: { kind: "percent", bps: stop },
        ...(breakEven !== undefined && { breakEvenAfterBps: breakEven }),
        ...(trailAfter !== undefined &&
          trailBy !== undefined && {
            trail: {
              afterBps: trailAfter,
              by: { kind: "percent", bps: trailBy },
              stepBps: Math.min(STEP_BPS, trailBy),
            },
          }),
      },
    }),
    ...(targets.length > 0 && { targets }),
    ...(holdBars !== undefined && { holdBars }),
  };
  const leverage = figureOf("leverage") ?? 1;
  const planned = Object.keys(plan).length === 0 ? null : plan;
  const fault = findPlanFault(planned, { ...context, leverage });
  if (fault === null) return { ok: true, plan: planned, leverage };
  return wrong(PLACES[fault.field] ?? "stop", fault.message);
}
