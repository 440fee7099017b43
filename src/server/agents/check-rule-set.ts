import type { ValidRule } from "../../domain/agent-draft.ts";
import type { AgentId } from "../../domain/ids.ts";
import { findRuleConflict, findRuleFault } from "../../domain/rule-validation.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { listAlertsOf, type AlertRecord } from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";
import { listRulesOf, type RuleRecord } from "../store/alerts/rules.ts";
import { ASSETS, VENUE_PROFILES } from "../../venues/profiles.ts";
import { checkCondition } from "../../domain/condition/check-condition.ts";
import { evaluationFault } from "../../domain/condition/evaluation-bound.ts";
import { refusal } from "./refuse.ts";

/**
 * Refuses rules that contradict each other or refer to unknown alerts. `added` replaces the stored rule with its id, or
 * is appended.
 */
export async function checkRuleSet(
  db: Db,
  agentId: AgentId,
  venue: VenueId,
  added?: ValidRule,
): Promise<readonly AlertRecord[]> {
  const alerts = await listAlertsOf(db, agentId);
  const stored = (await listRulesOf(db, agentId)).map((rule) => asValid(rule, alerts));
  const isKnown = stored.some((rule) => rule.id === added?.id);
  const others = stored.map((rule) => (added && rule.id === added.id ? added : rule));
  const rules = added && !isKnown ? [...others, added] : others;
  const keys = new Set(alerts.map((alert) => alert.nameKey));
  const problem = findRuleConflict(rules) ?? findRuleFault(rules, keys, VENUE_PROFILES[venue]);
  // The caller sent one rule, so its index among the stored ones would mean nothing
  if (problem !== null) {
    throw refusal(problem.reason, problem.field.replace(/^rules\.\d+\./, ""), problem.message);
  }
  return alerts;
}

function asValid(rule: RuleRecord, alerts: readonly AlertRecord[]): ValidRule {
  const alertOf = new Map(alerts.map((alert) => [alert.id, alert]));
  return {
    id: rule.id,
    action: rule.action,
    portion: rule.portion,
    conditions: rule.conditions.map(({ alertId, requiredCount }) => ({
      alertName: alertOf.get(alertId)?.name ?? "",
      alertNameKey: alertOf.get(alertId)?.nameKey ?? "",
      requiredCount,
    })),
  };
}

/** Refuses an interval on which the conditions of the agent's alerts cannot be evaluated. */
export function refuseInterval(alerts: readonly AlertRecord[], intervalMinutes: number): void {
  const conditions = alerts.flatMap(({ condition }) => condition ?? []);
  const fault = conditions
    .map((condition) => checkCondition(condition, intervalMinutes, ASSETS)?.reason)
    .find((reason) => reason !== undefined);
  const reason = fault ?? evaluationFault(conditions, intervalMinutes);
  if (reason !== null) throw refusal("condition_invalid", "agent.interval", reason);
}
