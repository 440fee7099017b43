import type { RuleState } from "../../domain/rule-engine.ts";
import { SIGNALS } from "../../domain/signal.ts";
import type { Db } from "./db.ts";
import type { Statement } from "./statement.ts";

export interface RuleRow {
  readonly id: string;
  readonly agentId: string;
  readonly action: string;
  readonly alertId: string;
  readonly requiredCount: number;
  readonly count: number;
}

/** Answers with `RuleRow`s, one per condition. */
export const selectRules = (agentIds: readonly string[]): Statement => ({
  name: "rule-states",
  text: `select rules.id, agent_id as "agentId", action, alert_id as "alertId",
      required_count as "requiredCount", count
    from rules join rule_conditions on rule_id = rules.id
    where agent_id = any($1) order by rules.seq`,
  values: [agentIds],
});

/** Puts conditions together to rules by agent, in the order they were created. Keys are alert ids. */
export function toRuleStates(rows: readonly RuleRow[]): ReadonlyMap<string, readonly RuleState[]> {
  const byAgent = new Map<string, Map<string, RuleState>>();
  for (const row of rows) {
    const rules = byAgent.get(row.agentId) ?? new Map<string, RuleState>();
    byAgent.set(row.agentId, rules);
    const action = SIGNALS.find((signal) => signal === row.action);
    if (action === undefined) throw new Error(`Rule ${row.id} has an unknown action`);
    const condition = {
      alertKey: row.alertId,
      requiredCount: row.requiredCount,
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

export interface AlertRow {
  readonly id: string;
  readonly agentId: string;
  readonly nameKey: string;
}

/** Answers with `AlertRow`s. */
export const selectAlerts = (agentIds: readonly string[]): Statement => ({
  name: "alerts",
  text: `select id, agent_id as "agentId", name_key as "nameKey" from alerts where agent_id = any($1)`,
  values: [agentIds],
});

/** Writes the counters of changed rules. */
export function updateCounters(rules: readonly RuleState[]): Statement {
  const changes = rules.flatMap((rule) =>
    rule.conditions.map((condition) => ({ ruleId: rule.ruleId, ...condition })),
  );
  return {
    name: "update-counters",
    text: `update rule_conditions set count = changed.count
      from unnest($1::text[], $2::text[], $3::int[]) as changed (rule_id, alert_id, count)
      where rule_conditions.rule_id = changed.rule_id
        and rule_conditions.alert_id = changed.alert_id
        and rule_conditions.count <> changed.count`,
    values: [
      changes.map((change) => change.ruleId),
      changes.map((change) => change.alertKey),
      changes.map((change) => change.count),
    ],
  };
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
