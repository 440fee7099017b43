import { sql } from "kysely";
import type { RuleState } from "../../domain/rule-engine.ts";
import { SIGNALS } from "../../domain/signal.ts";
import type { Db } from "./db.ts";

/** Reads the rules of several agents with their counters, in the order they were created. Keys are alert ids. */
export async function loadRuleStates(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RuleState[]>> {
  const rows = await db
    .selectFrom("rules")
    .innerJoin("rule_conditions", "rule_conditions.rule_id", "rules.id")
    .select(["rules.id", "agent_id", "action", "alert_id", "required_count", "count"])
    .where("agent_id", "in", agentIds)
    .orderBy("rules.seq")
    .execute();
  const byAgent = new Map<string, Map<string, RuleState>>();
  for (const row of rows) {
    const rules = byAgent.get(row.agent_id) ?? new Map<string, RuleState>();
    byAgent.set(row.agent_id, rules);
    const action = SIGNALS.find((signal) => signal === row.action);
    if (action === undefined) throw new Error(`Rule ${row.id} has an unknown action`);
    const condition = {
      alertKey: row.alert_id,
      requiredCount: row.required_count,
      count: row.count,
    };
    const known = rules.get(row.id);
    rules.set(row.id, {
      ruleId: row.id,
      action,
      conditions: [...(known?.conditions ?? []), condition],
    });
  }
  return new Map([...byAgent].map(([agentId, rules]) => [agentId, [...rules.values()]]));
}

/** Reads the alerts of several agents: agent id, then name key, to alert id. */
export async function loadAlertIds(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await db
    .selectFrom("alerts")
    .select(["id", "agent_id", "name_key"])
    .where("agent_id", "in", agentIds)
    .execute();
  const byAgent = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const alerts = byAgent.get(row.agent_id) ?? new Map<string, string>();
    byAgent.set(row.agent_id, alerts.set(row.name_key, row.id));
  }
  return byAgent;
}

/** Writes the counters of changed rules. */
export async function writeCounters(db: Db, rules: readonly RuleState[]): Promise<void> {
  const changes = rules.flatMap((rule) =>
    rule.conditions.map((condition) => ({ ruleId: rule.ruleId, ...condition })),
  );
  if (changes.length === 0) return;
  await sql`
    update rule_conditions set count = changed.count
    from unnest(
      ${changes.map((change) => change.ruleId)}::text[],
      ${changes.map((change) => change.alertKey)}::text[],
      ${changes.map((change) => change.count)}::int[]
    ) as changed (rule_id, alert_id, count)
    where rule_conditions.rule_id = changed.rule_id
      and rule_conditions.alert_id = changed.alert_id
      and rule_conditions.count <> changed.count
  `.execute(db);
}

/** Sets every counter of an agent to zero. */
export async function resetCounters(db: Db, agentId: string): Promise<void> {
  await db
    .updateTable("rule_conditions")
    .set({ count: 0 })
    .where("count", ">", 0)
    .where("rule_id", "in", (query) =>
      query.selectFrom("rules").select("id").where("agent_id", "=", agentId),
    )
    .execute();
}
