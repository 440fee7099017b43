import type { Pool } from "pg";
import type { RuleState } from "../../src/domain/rule-engine.ts";
import { SIGNALS } from "../../src/domain/signal.ts";
import type { Random } from "../random.ts";

/** Names of the alerts every agent has. */
export const ALERTS = ["breakout", "dip", "trend"] as const;

/** Two to five rules; the first opens and the second closes, so that most seeds trade. */
export function randomRules(random: Random, newId: () => string): readonly RuleState[] {
  return Array.from({ length: random.int(2, 5) }, (_, at): RuleState => {
    const action =
      at === 0
        ? random.pick(["OPEN_LONG", "OPEN_SHORT"] as const)
        : at === 1
          ? random.pick(["CLOSE_LONG", "CLOSE_SHORT"] as const)
          : random.pick(SIGNALS);
    const first = random.int(0, ALERTS.length - 1);
    const needed = random.chance(75) ? [first] : [first, (first + 1) % ALERTS.length];
    return {
      ruleId: newId(),
      action,
      conditions: needed.map((alert) => ({
        alertKey: ALERTS[alert] ?? "",
        requiredCount: random.weighted([
          [6, 1],
          [2, 2],
          [1, 3],
        ]),
        count: 0,
      })),
    };
  });
}

/** Stores alerts and rules of every agent in one statement. */
export async function insertRules(
  pool: Pool,
  rulesOf: ReadonlyMap<string, readonly RuleState[]>,
  newId: () => string,
): Promise<void> {
  const alerts = [...rulesOf.keys()].flatMap((agentId) =>
    ALERTS.map((name) => ({ id: newId(), agent_id: agentId, name, name_key: name })),
  );
  const rules = [...rulesOf].flatMap(([agentId, ofAgent]) =>
    ofAgent.map(({ ruleId, action }) => ({ id: ruleId, agent_id: agentId, action })),
  );
  const conditions = [...rulesOf].flatMap(([agentId, ofAgent]) =>
    ofAgent.flatMap(({ ruleId, conditions: needed }) =>
      needed.map(({ alertKey, requiredCount }) => ({
        rule_id: ruleId,
        alert_id: alerts.find((each) => each.agent_id === agentId && each.name === alertKey)?.id,
        required_count: requiredCount,
      })),
    ),
  );
  const insert = (table: string, columns: string, rows: readonly object[]) =>
    pool.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  await insert("alerts", "id, agent_id, name, name_key", alerts);
  await insert("rules", "id, agent_id, action", rules);
  await insert("rule_conditions", "rule_id, alert_id, required_count", conditions);
}
