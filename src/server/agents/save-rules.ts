import type { ValidRule } from "../../domain/agent-draft.ts";
import type { AgentId } from "../../domain/ids.ts";
import { newId } from "../crypto/new-id.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  deleteRules,
  insertRule,
  listRulesOf,
  replaceRule,
  type RuleRecord,
} from "../store/alerts/rules.ts";
import { refusal, type AgentDeps } from "./agent-changes.ts";
import { findRuleConflict, findRuleFault } from "../../domain/agent-validation.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { listAlertsOf, type AlertRecord } from "../store/alerts/alerts.ts";
import { ASSETS, VENUE_PROFILES } from "../../venues/profiles.ts";
import { checkCondition } from "../../domain/condition/check-condition.ts";
import { evaluationFault } from "../../domain/condition/evaluation-bound.ts";

type WrittenConditions = readonly { readonly alertId: string; readonly requiredCount: number }[];

/** Replaces the agent's rules by these. An unchanged rule keeps its counters; a changed or new one starts at 0. */
export async function saveRules(
  deps: AgentDeps,
  tx: Db,
  agentId: AgentId,
  rules: readonly ValidRule[],
  alertIds: ReadonlyMap<string, string>,
): Promise<void> {
  const free = new Map((await listRulesOf(tx, agentId)).map((rule) => [rule.id, rule]));
  const saved = rules.map((rule) => ({
    rule,
    conditions: conditionsOf(rule, alertIds),
    before: rule.id === undefined ? undefined : free.get(rule.id),
  }));
  for (const each of saved) if (each.before) free.delete(each.before.id);
  for (const each of saved) {
    each.before ??= [...free.values()].find((rule) => isSame(rule, each.rule, each.conditions));
    if (each.before) free.delete(each.before.id);
  }
  await deleteRules(tx, [...free.keys()]);
  for (const { rule, conditions, before } of saved) {
    const written = { action: rule.action, portion: rule.portion, conditions };
    if (before === undefined) {
      await insertRule(tx, { id: newId(deps.random), agentId, ...written });
    } else if (!isSame(before, rule, conditions)) {
      await replaceRule(tx, { id: before.id, agentId, ...written });
    }
  }
}

/** Returns the conditions by alert id; every name was validated before. */
export function conditionsOf(
  rule: ValidRule,
  alertIds: ReadonlyMap<string, string>,
): WrittenConditions {
  return rule.conditions.map(({ alertNameKey, requiredCount }) => {
    const alertId = alertIds.get(alertNameKey);
    if (alertId === undefined) throw new Error("A checked rule names an unknown alert.");
    return { alertId, requiredCount };
  });
}

/** Returns whether a stored rule equals the draft's, ignoring the order of conditions. */
export function isSame(
  stored: RuleRecord,
  rule: Pick<ValidRule, "action" | "portion">,
  conditions: WrittenConditions,
): boolean {
  const key = (each: WrittenConditions) =>
    each
      .map((one) => `${one.alertId} ${one.requiredCount}`)
      .toSorted()
      .join();
  return (
    stored.action === rule.action &&
    stored.portion === rule.portion &&
    key(stored.conditions) === key(conditions)
  );
}

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
