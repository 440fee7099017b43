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
import type { AgentDeps } from "./agent-deps.ts";

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
