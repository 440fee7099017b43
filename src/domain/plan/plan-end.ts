import type { PlanDemand } from "./demand.ts";

/** What of a plan ended a position or part of it. `no_stop`: its stop had no level, or did not rest, in time. */
export const PLAN_ENDS = [
  "stop",
  "trail",
  "break_even",
  "target_1",
  "target_2",
  "target_3",
  "target_4",
  "hold",
  "no_stop",
] as const;

export type PlanEnd = (typeof PLAN_ENDS)[number];

/** Everything of a plan that asks for an order: its ends, and adds. */
export const PLAN_ACTS = [...PLAN_ENDS, "add"] as const;

export type PlanAct = (typeof PLAN_ACTS)[number];

/** What an owner reads of it, in the log and beside results. */
export const PLAN_ACT_WORDS: Readonly<Record<PlanAct, string>> = {
  stop: "Stop",
  trail: "Trailing stop",
  break_even: "Stop at break-even",
  target_1: "Target 1",
  target_2: "Target 2",
  target_3: "Target 3",
  target_4: "Target 4",
  hold: "Held to the end",
  no_stop: "No stop could be placed",
  add: "Add",
};

const TARGET_ENDS = ["target_1", "target_2", "target_3", "target_4"] as const;

/** Returns what of the plan asks for an exit; of several targets the furthest. */
export function planEndOf({ reason, targets }: NonNullable<PlanDemand["closeNow"]>): PlanEnd {
  return reason === "target" ? (TARGET_ENDS[Math.max(0, ...targets)] ?? "target_4") : reason;
}

/** Time within which the stop of a position has to have a level, and to rest where the venue keeps stops, in milliseconds. */
export const NO_STOP_AFTER_MS = 30_000;
