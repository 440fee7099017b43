import type { Alert } from "../../contract/alerts.ts";
import type { Rule } from "../../contract/rules.ts";
import type { AlertRecord } from "../store/alerts/alerts.ts";
import type { RuleRecord } from "../store/alerts/rules.ts";

export function showAlert(alert: AlertRecord): Alert {
  const { id, name, description, condition } = alert;
  return { id, name, description, ...(condition === null ? {} : { condition }) };
}

/** Returns the rule with the current names of its alerts. */
export function showRule(rule: RuleRecord, alerts: readonly AlertRecord[]): Rule {
  const nameOf = new Map(alerts.map((alert) => [alert.id, alert.name]));
  return {
    id: rule.id,
    agentId: rule.agentId,
    action: rule.action,
    ...(rule.portion < 100 && { portion: rule.portion }),
    conditions: rule.conditions.map(({ alertId, requiredCount, count }) => ({
      alertName: nameOf.get(alertId) ?? "",
      requiredCount,
      count,
    })),
  };
}
