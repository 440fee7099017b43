import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { Signal } from "../../../domain/signal.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";

export interface ConditionRecord {
  readonly alertId: string;
  readonly requiredCount: number;
  readonly count: number;
}

export interface RuleRecord {
  readonly id: string;
  readonly agentId: AgentId;
  readonly action: Signal;
  /** Percent of the position that a closing rule closes. */
  readonly portion: number;
  readonly conditions: readonly ConditionRecord[];
}

/** Returns the agent's rules in order of creation, which is the order they fire in. */
export async function listRulesOf(db: Db, agentId: AgentId): Promise<RuleRecord[]> {
  const rules = await on(db).rows<{ id: string; action: string; portion: number }>`
    select id, action, portion from rules where agent_id = ${agentId} order by seq`;
  const conditions = await on(db).rows<ConditionRecord & { ruleId: string }>`
    select rule_id as "ruleId", alert_id as "alertId", required_count as "requiredCount", count
    from rule_conditions join rules on rules.id = rule_id join alerts on alerts.id = alert_id
    where rules.agent_id = ${agentId} order by alerts.seq`;
  const ofAgent = parseAgentId(agentId);
  return rules.map((rule) => ({
    id: rule.id,
    agentId: ofAgent,
    // Only validated signals are ever written
    action: rule.action as Signal,
    portion: rule.portion,
    conditions: conditions
      .filter((condition) => condition.ruleId === rule.id)
      .map(({ alertId, requiredCount, count }) => ({ alertId, requiredCount, count })),
  }));
}

export async function findAgentIdOfRule(db: Db, ruleId: string): Promise<AgentId | null> {
  const row = await on(db).row<{ agentId: string }>`
    select agent_id as "agentId" from rules where id = ${ruleId}`;
  return row === null ? null : parseAgentId(row.agentId);
}

type NewRule = Omit<RuleRecord, "agentId" | "conditions"> & {
  readonly agentId: AgentId;
  readonly conditions: readonly Omit<ConditionRecord, "count">[];
};

/** Inserts a rule with all counters at 0. */
export async function insertRule(db: Db, rule: NewRule): Promise<void> {
  await on(db).change`
    insert into rules (id, agent_id, action, portion)
    values (${rule.id}, ${rule.agentId}, ${rule.action}, ${rule.portion})`;
  await insertConditions(db, rule);
}

/** Replaces a rule, keeping its position, with all counters at 0. */
export async function replaceRule(db: Db, rule: NewRule): Promise<void> {
  await on(db)
    .change`update rules set action = ${rule.action}, portion = ${rule.portion} where id = ${rule.id}`;
  await deleteRows(db, "rule_conditions", [rule.id]);
  await insertConditions(db, rule);
}

async function insertConditions(db: Db, { id, conditions }: NewRule): Promise<void> {
  await on(db).change`
    insert into rule_conditions (rule_id, alert_id, required_count)
    select ${id}, * from unnest(${conditions.map(({ alertId }) => alertId)}::text[],
      ${conditions.map(({ requiredCount }) => requiredCount)}::int[])`;
}

/** Resets the counters of these rules to 0. */
export async function resetCounters(db: Db, ruleIds: readonly string[]): Promise<void> {
  if (ruleIds.length === 0) return;
  await on(db).change`update rule_conditions set count = 0 where rule_id = any(${ruleIds})`;
}

export async function deleteRules(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteRows(db, "rules", ids);
}
