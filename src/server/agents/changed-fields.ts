import { conditionKey } from "../../domain/condition/condition-key.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";
import { listRulesOf } from "../store/alerts/rules.ts";

const FIELDS = [
  "name",
  "network",
  "venue",
  "marketId",
  "interval",
  "slippageBps",
  "positionSizePercent",
  "maxSignalAgeSeconds",
  "hypothesisStatus",
  "buyReportPrompt",
  "sellReportPrompt",
] as const satisfies readonly (keyof AgentRecord)[];

/** All fields of an agent that a save may change, as comparable text by audit name. */
export type AgentState = ReadonlyMap<string, string>;

export async function readAgentState(db: Db, agent: AgentRecord): Promise<AgentState> {
  const alerts = await listAlertsOf(db, agent.id);
  const rules = await listRulesOf(db, agent.id);
  const nameOf = new Map(alerts.map(({ id, name }) => [id, name]));
  return new Map<string, string>([
    ...FIELDS.map((field) => [field, JSON.stringify(agent[field])] as const),
    ["alerts", JSON.stringify(alerts.map(({ name, description }) => [name, description]))],
    [
      "conditions",
      JSON.stringify(alerts.map(({ name, condition }) => [name, conditionKey(condition)])),
    ],
    [
      "rules",
      JSON.stringify(
        rules.map(({ action, conditions }) => [
          action,
          conditions.map(({ alertId, requiredCount }) => [nameOf.get(alertId), requiredCount]),
        ]),
      ),
    ],
  ]);
}

/** Returns the names of the fields that differ. */
export function changedFields(before: AgentState, after: AgentState): readonly string[] {
  return [...after.keys()].filter((name) => after.get(name) !== before.get(name));
}
