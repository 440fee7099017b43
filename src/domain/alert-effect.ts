import type { ConditionCount, Evaluation, RuleState } from "./rule-engine.ts";
import type { Signal } from "./signal.ts";

/**
 * The effect of one alert on one rule: counted, completed, reset, or not counted because that alert's counter was full.
 */
export interface RuleEffect {
  readonly ruleId: string;
  readonly action: Signal;
  readonly kind: "counted" | "full" | "fired" | "reset";
  /** The rule's counters after the alert; for a rule that was reset, the counters before the reset. */
  readonly conditions: readonly ConditionCount[];
}

/** The effects of an accepted alert, recorded when it is counted. */
export interface AlertEffects {
  readonly alertKey: string;
  /** In the order of the rules; unaffected rules are left out. */
  readonly rules: readonly RuleEffect[];
}

/** Returns the effect of an alert on each rule it affected. */
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
