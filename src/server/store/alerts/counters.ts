import type { AgentId } from "../../../domain/ids.ts";
import type { RuleState } from "../../../domain/rule-engine.ts";
import { SIGNALS } from "../../../domain/signal.ts";
import type { Db } from "../postgres/db.ts";
import { on, type Statement } from "../postgres/on.ts";

/** One condition of a rule. */
export interface RuleRow {
  readonly id: string;
  readonly action: string;
  /** 1 to 100. */
  readonly portion: number;
  readonly alertId: string;
  readonly requiredCount: number;
  readonly count: number;
}

/** Groups an agent's conditions into rules, in the given order. Keys are alert ids. */
export function toRuleStates(rows: readonly RuleRow[]): readonly RuleState[] {
  const rules = new Map<string, RuleState>();
  for (const row of rows) {
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
      ...(row.portion < 100 && { portion: row.portion }),
      conditions: [...(known?.conditions ?? []), condition],
    });
  }
  return [...rules.values()];
}

/** Takes three arrays from the given parameter on; a condition may be appended. */
export const UPDATE_COUNTERS = (first: number): string =>
  `update rule_conditions set count = changed.count
    from unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::int[])
      as changed (rule_id, alert_id, count)
    where rule_conditions.rule_id = changed.rule_id
      and rule_conditions.alert_id = changed.alert_id
      and rule_conditions.count <> changed.count`;

export function counterValues(rules: readonly RuleState[]): unknown[] {
  const changes = rules.flatMap((rule) =>
    rule.conditions.map((condition) => ({ ruleId: rule.ruleId, ...condition })),
  );
  return [
    changes.map((change) => change.ruleId),
    changes.map((change) => change.alertKey),
    changes.map((change) => change.count),
  ];
}

/** Updates the counters of changed rules. */
export const updateCounters = (rules: readonly RuleState[]): Statement => ({
  name: "update-counters",
  text: UPDATE_COUNTERS(1),
  values: counterValues(rules),
});

/** Sets every counter of an agent to zero. */
export async function resetCounters(db: Db, agentId: AgentId): Promise<void> {
  await on(db).change`
    update rule_conditions set count = 0
    where count > 0 and rule_id in (select id from rules where agent_id = ${agentId})`;
}
