import type { ConditionCount, Evaluation, RuleState } from "./rule-engine.ts";
import type { Signal } from "./signal.ts";

/**
 * What one alert did to one rule: counted for it, completed it, set it back, or found that it had counted enough of that
 * alert already (`full`).
 */
export interface RuleEffect {
  readonly ruleId: string;
  readonly action: Signal;
  readonly kind: "counted" | "full" | "fired" | "reset";
  /** The rule's counters once the alert was counted; of one set back, as they stood before. */
  readonly conditions: readonly ConditionCount[];
}

/** What an accepted alert did, recorded when it is counted. */
export interface AlertEffects {
  readonly alertKey: string;
  /** In the order of the rules; those it did not touch are left out. */
  readonly rules: readonly RuleEffect[];
}

/** Returns what an alert did to each rule it touched. */
export function effectsOf(
  before: readonly RuleState[],
  { rules, signals }: Evaluation,
  alertKey: string,
): AlertEffects {
  const touched = before.flatMap((rule, index): RuleEffect[] => {
    const after = rules[index] ?? rule;
    const { ruleId, action } = rule;
    if (signals.some((signal) => signal.ruleId === ruleId)) {
      return [{ ruleId, action, kind: "fired", conditions: rule.conditions.map(completed) }];
    }
    if (after === rule) {
      const isNamed = rule.conditions.some((each) => each.alertKey === alertKey);
      return isNamed ? [{ ruleId, action, kind: "full", conditions: rule.conditions }] : [];
    }
    return after.conditions.every(({ count }) => count === 0)
      ? [{ ruleId, action, kind: "reset", conditions: rule.conditions }]
      : [{ ruleId, action, kind: "counted", conditions: after.conditions }];
  });
  return { alertKey, rules: touched };
}

const completed = (condition: ConditionCount): ConditionCount => ({
  ...condition,
  count: condition.requiredCount,
});
