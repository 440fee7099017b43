import {
  type AgentFields,
  type CompleteDraft,
  type DroppedParts,
  type Invalid,
  type RuleDraft,
  type ValidAlert,
  type ValidRule,
  invalid,
} from "./agent-draft.ts";
import { findIncompleteField, validateAgentFields } from "./agent-fields-validation.ts";
import { alertNameKey, isAlertNameUsable } from "./alert-name.ts";
import { checkCondition } from "./condition/check-condition.ts";
import { evaluationFault } from "./condition/evaluation-bound.ts";
import { findRuleConflict, findRuleFault } from "./rule-validation.ts";
import type { Signal } from "./signal.ts";
import type { VenueProfiles } from "./venue-profile.ts";

/** A draft that can be saved. */
export interface ValidDraft {
  readonly agent: AgentFields;
  readonly alerts: readonly ValidAlert[];
  readonly rules: readonly ValidRule[];
}

export type DraftValidation =
  | { readonly ok: true; readonly value: ValidDraft; readonly dropped: DroppedParts }
  | Invalid;

/**
 * Validates a whole agent in the order of the ten validations and returns the first fault.
 *
 * Alerts without a name and rules without conditions are left out and reported in `dropped`. Authentication, the first
 * of the ten validations, is done by the caller.
 */
export function validateAgentDraft(draft: CompleteDraft, profiles: VenueProfiles): DraftValidation {
  const alerts = draft.alerts.map(validAlert).filter((alert) => alert.name !== "");
  if (alerts.length === 0) return invalid("alerts_missing", "alerts");
  const kept = draft.rules
    .map((rule, index) => ({ index, rule, conditions: namedConditions(rule) }))
    .filter((each) => each.conditions.length > 0);
  const rules: ValidRule[] = [];
  for (const { index, rule, conditions } of kept) {
    if (rule.action === "") return invalid("rule_action_missing", `rules.${index}.action`);
    rules.push(validRule(rule, rule.action, conditions));
  }
  const incomplete = findIncompleteField(draft.agent);
  if (incomplete !== null) return incomplete;
  const duplicate = alerts.findIndex((alert, index) =>
    alerts.slice(0, index).some((earlier) => earlier.nameKey === alert.nameKey),
  );
  if (duplicate >= 0) return invalid("alert_name_duplicate", `alerts.${duplicate}.name`);
  const conflict = findRuleConflict(rules);
  if (conflict !== null) return conflict;
  const unusable = alerts.findIndex((alert) => !isAlertNameUsable(alert.name));
  if (unusable >= 0) return invalid("alert_name_invalid", `alerts.${unusable}.name`);
  const agent = validateAgentFields(draft.agent, profiles);
  const minutes = agent.ok ? agent.value.interval.minutes : null;
  const assets = Object.values(profiles).flatMap(({ markets }) =>
    markets.map((each) => each.asset),
  );
  const senseless = findConditionFault(alerts, minutes, new Set(assets));
  if (senseless !== null) return senseless;
  if (!agent.ok) return agent;
  const keys = new Set(alerts.map((alert) => alert.nameKey));
  const fault = findRuleFault(rules, keys, profiles[agent.value.venue]);
  if (fault !== null) return fault;
  return {
    ok: true,
    value: { agent: agent.value, alerts, rules },
    dropped: {
      alerts: draft.alerts.length - alerts.length,
      rules: draft.rules.flatMap((rule, index) =>
        kept.some((each) => each.index === index)
          ? []
          : [{ index, reason: rule.action === "" ? "no_action" : "no_conditions" }],
      ),
    },
  };
}

function validAlert(draft: CompleteDraft["alerts"][number]): ValidAlert {
  const name = draft.name.trim();
  const { id, description, condition } = draft;
  return { id, name, nameKey: alertNameKey(name), description, condition };
}

/** Without the interval, what depends on it is not checked. */
function findConditionFault(
  alerts: readonly ValidAlert[],
  intervalMinutes: number | null,
  assets: ReadonlySet<string>,
): Invalid | null {
  for (const [index, { condition }] of alerts.entries()) {
    const fault = condition ? checkCondition(condition, intervalMinutes, assets) : null;
    if (fault === null) continue;
    const { reason, field } = fault;
    return {
      ...invalid("condition_invalid", `alerts.${index}.condition.${field}`),
      message: reason,
    };
  }
  if (intervalMinutes === null) return null;
  const conditions = alerts.flatMap(({ condition }) => condition ?? []);
  const costly = evaluationFault(conditions, intervalMinutes);
  return costly === null ? null : { ...invalid("condition_invalid", "alerts"), message: costly };
}

const namedConditions = (rule: RuleDraft) =>
  rule.conditions.filter((condition) => condition.alertName.trim() !== "");

/** Returns the rule with its alert names trimmed and every count filled in; a missing count is 1. */
export function validRule(
  rule: Pick<RuleDraft, "id" | "portion">,
  action: Signal,
  conditions: RuleDraft["conditions"],
): ValidRule {
  return {
    id: rule.id,
    conditions: conditions.map((condition) => ({
      alertName: condition.alertName.trim(),
      alertNameKey: alertNameKey(condition.alertName),
      requiredCount: condition.requiredCount ?? 1,
    })),
    action,
    portion: rule.portion ?? 100,
  };
}
