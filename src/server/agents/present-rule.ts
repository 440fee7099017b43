import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import type { AlertRecord } from "../store/alerts/alerts.ts";
import type { RuleRecord } from "../store/alerts/rules.ts";

export function presentAlert(alert: AlertRecord): ResponseOf<typeof ROUTES.createAlert> {
  const { id, name, description, condition } = alert;
  return { _id: id, name, description, ...(condition === null ? {} : { condition }) };
}

/** Returns the rule in its wire format, with the current names of its alerts. */
export function presentRule(
  rule: RuleRecord,
  alerts: readonly AlertRecord[],
): ResponseOf<typeof ROUTES.createRule> {
  const nameOf = new Map(alerts.map((alert) => [alert.id, alert.name]));
  return {
    _id: rule.id,
    agentId: rule.agentId,
    action: rule.action,
    conditions: rule.conditions.map(({ alertId, requiredCount, count }) => ({
      alertName: nameOf.get(alertId) ?? "",
      requiredCount,
      count,
    })),
  };
}
