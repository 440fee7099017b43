import { type Signal, isCloseSignal, isResetSignal, resetTarget } from "./signal.ts";

/** How often one alert has fired for one rule. 0 <= `count` <= `requiredCount`. */
export interface ConditionCount {
  readonly alertKey: string;
  readonly requiredCount: number;
  readonly count: number;
}

/** A rule with its counters. */
export interface RuleState {
  readonly ruleId: string;
  readonly action: Signal;
  /** Percent of the position a closing rule closes, 1 to 99; absent: all of it. */
  readonly portion?: number;
  readonly conditions: readonly ConditionCount[];
}

/** The signal of a fired rule. When one alert opens both sides, the second is recorded but denied. */
export interface FiredSignal {
  readonly ruleId: string;
  readonly signal: Signal;
  /** The rule's. */
  readonly portion?: number;
  readonly denied: "both_sides" | null;
}

/** Counters after an alert and the signals of the rules that fired, in the order they take effect. */
export interface Evaluation {
  readonly rules: readonly RuleState[];
  readonly signals: readonly FiredSignal[];
}

const PHASES: readonly ((signal: Signal) => boolean)[] = [
  isCloseSignal,
  isResetSignal,
  (signal) => !isCloseSignal(signal) && !isResetSignal(signal),
];

const isComplete = (rule: RuleState) =>
  rule.conditions.length > 0 && rule.conditions.every((each) => each.count >= each.requiredCount);

const cleared = (rule: RuleState): RuleState =>
  rule.conditions.every((each) => each.count === 0)
    ? rule
    : { ...rule, conditions: rule.conditions.map((each) => ({ ...each, count: 0 })) };

const counted = (rule: RuleState, alertKey: string): RuleState =>
  rule.conditions.some((each) => each.alertKey === alertKey && each.count < each.requiredCount)
    ? {
        ...rule,
        conditions: rule.conditions.map((each) =>
          each.alertKey === alertKey && each.count < each.requiredCount
            ? { ...each, count: each.count + 1 }
            : each,
        ),
      }
    : rule;

/**
 * Counts one alert and returns the signals of the rules it completes. `rules` are in the order of their creation.
 *
 * A completed rule fires once and starts again at zero. Closing rules take effect first, then resets, then opening
 * rules, so a reset undoes an opening that the same alert would have completed but never a closing. When one alert
 * opens both a long and a short, the first stands. Unchanged rules are returned as they are.
 */
export function evaluateAlert(rules: readonly RuleState[], alertKey: string): Evaluation {
  const states = rules.map((rule) => counted(rule, alertKey));
  const signals: FiredSignal[] = [];
  for (const isDue of PHASES) {
    for (const [index, rule] of states.entries()) {
      if (!isDue(rule.action) || !names(rule, alertKey) || !isComplete(rule)) continue;
      states[index] = cleared(rule);
      signals.push(fire(rule, signals));
      if (isResetSignal(rule.action)) clearTargets(states, resetTarget(rule.action));
    }
  }
  return { rules: states, signals };
}

const names = (rule: RuleState, alertKey: string) =>
  rule.conditions.some((each) => each.alertKey === alertKey);

function fire(rule: RuleState, earlier: readonly FiredSignal[]): FiredSignal {
  const opposite =
    rule.action === "OPEN_LONG" ? "OPEN_SHORT" : rule.action === "OPEN_SHORT" ? "OPEN_LONG" : null;
  const isOpposed =
    opposite !== null && earlier.some((each) => each.signal === opposite && each.denied === null);
  return {
    ruleId: rule.ruleId,
    signal: rule.action,
    ...(rule.portion !== undefined && { portion: rule.portion }),
    denied: isOpposed ? "both_sides" : null,
  };
}

function clearTargets(states: RuleState[], target: Signal): void {
  for (const [index, rule] of states.entries()) {
    if (rule.action === target) states[index] = cleared(rule);
  }
}
