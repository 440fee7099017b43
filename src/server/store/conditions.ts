import type { AlertCondition } from "../../domain/condition/condition.ts";
import type { Network } from "../../domain/network.ts";
import type { Db } from "./db.ts";

/** An agent that fires alerts by itself, with what its evaluation and its deliveries need. */
export interface ConditionAgent {
  readonly agentId: string;
  readonly network: Network;
  readonly venue: string;
  readonly marketId: string;
  /** As it was written, for instance 90m. */
  readonly interval: string;
  readonly autoTrade: "on" | "stopping" | "off";
  readonly maxSignalAgeSeconds: number;
  readonly webhookTokenVersion: number;
  /** When the agent, its alerts or its rules were last changed; no two changes have the same time. */
  readonly changedAt: Date;
  /** In the order they were made. */
  readonly alerts: readonly ConditionAlert[];
}

export interface ConditionAlert {
  readonly id: string;
  readonly name: string;
  readonly condition: AlertCondition;
}

/** Lists the agents whose alerts have conditions, by id. */
export async function listConditionAgents(db: Db): Promise<ConditionAgent[]> {
  const rows = await db
    .selectFrom("alerts")
    .innerJoin("agents", "agents.id", "alerts.agent_id")
    .where("alerts.condition", "is not", null)
    .select([
      "agents.id as agentId",
      "agents.network",
      "agents.venue",
      "agents.market_id as marketId",
      "agents.interval",
      "agents.auto_trade as autoTrade",
      "agents.max_signal_age_seconds as maxSignalAgeSeconds",
      "agents.webhook_token_version as webhookTokenVersion",
      "agents.updated_at as changedAt",
      "alerts.id as alertId",
      "alerts.name as alertName",
      "alerts.condition",
    ])
    .orderBy("agents.id")
    .orderBy("alerts.seq")
    .execute();
  const agents = new Map<string, ConditionAgent & { alerts: ConditionAlert[] }>();
  for (const { alertId, alertName, condition, ...agent } of rows) {
    if (condition === null) continue;
    const known = agents.get(agent.agentId) ?? { ...agent, alerts: [] };
    known.alerts.push({ id: alertId, name: alertName, condition });
    agents.set(agent.agentId, known);
  }
  return [...agents.values()];
}
