import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { Signal } from "../../../domain/signal.ts";
import type { Db } from "../postgres/db.ts";

export interface ConditionRecord {
  readonly alertId: string;
  readonly requiredCount: number;
  readonly count: number;
}

export interface RuleRecord {
  readonly id: string;
  readonly agentId: AgentId;
  readonly action: Signal;
  readonly conditions: readonly ConditionRecord[];
}

/** Returns the agent's rules in order of creation, which is the order they fire in. */
export async function listRulesOf(db: Db, agentId: AgentId): Promise<RuleRecord[]> {
  const rules = await db
    .selectFrom("rules")
    .select(["id", "action"])
    .where("agent_id", "=", agentId)
    .orderBy("seq")
    .execute();
  const conditions = await db
    .selectFrom("rule_conditions as condition")
    .innerJoin("rules", "rules.id", "condition.rule_id")
    .innerJoin("alerts", "alerts.id", "condition.alert_id")
    .select([
      "condition.rule_id as ruleId",
      "condition.alert_id as alertId",
      "condition.required_count as requiredCount",
      "condition.count",
    ])
    .where("rules.agent_id", "=", agentId)
    .orderBy("alerts.seq")
    .execute();
  const ofAgent = parseAgentId(agentId);
  return rules.map((rule) => ({
    id: rule.id,
    agentId: ofAgent,
    // Only validated signals are ever written
    action: rule.action as Signal,
    conditions: conditions
      .filter((condition) => condition.ruleId === rule.id)
      .map(({ alertId, requiredCount, count }) => ({ alertId, requiredCount, count })),
  }));
}

export async function findAgentIdOfRule(db: Db, ruleId: string): Promise<AgentId | null> {
  const row = await db
    .selectFrom("rules")
    .select("agent_id")
    .where("id", "=", ruleId)
    .executeTakeFirst();
  return row === undefined ? null : parseAgentId(row.agent_id);
}

type NewRule = Omit<RuleRecord, "agentId" | "conditions"> & {
  readonly agentId: AgentId;
  readonly conditions: readonly Omit<ConditionRecord, "count">[];
};

/** Inserts a rule with all counters at 0. */
export async function insertRule(db: Db, rule: NewRule): Promise<void> {
  await db
    .insertInto("rules")
    .values({ id: rule.id, agent_id: rule.agentId, action: rule.action })
    .execute();
  await insertConditions(db, rule);
}

/** Replaces a rule, keeping its position, with all counters at 0. */
export async function replaceRule(db: Db, rule: NewRule): Promise<void> {
  await db.updateTable("rules").set({ action: rule.action }).where("id", "=", rule.id).execute();
  await db.deleteFrom("rule_conditions").where("rule_id", "=", rule.id).execute();
  await insertConditions(db, rule);
}

async function insertConditions(db: Db, rule: NewRule): Promise<void> {
  await db
    .insertInto("rule_conditions")
    .values(
      rule.conditions.map((condition) => ({
        rule_id: rule.id,
        alert_id: condition.alertId,
        required_count: condition.requiredCount,
      })),
    )
    .execute();
}

/** Resets the counters of these rules to 0. */
export async function resetCounters(db: Db, ruleIds: readonly string[]): Promise<void> {
  if (ruleIds.length === 0) return;
  await db
    .updateTable("rule_conditions")
    .set({ count: 0 })
    .where("rule_id", "in", ruleIds)
    .execute();
}

export async function deleteRules(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("rules").where("id", "in", ids).execute();
}
