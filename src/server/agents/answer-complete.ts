import type { SavedAgent } from "../../contract/save-agent.ts";
import { found } from "../../contract/errors.ts";
import type { DroppedParts } from "../../domain/agent-draft.ts";
import type { AgentId } from "../../domain/ids.ts";
import { findAgent } from "../store/agents/agents.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";
import { listRulesOf } from "../store/alerts/rules.ts";
import { type ShowDeps, showAgent } from "./show-agents.ts";
import { showAlert, showRule } from "./show-rule.ts";

/** Returns the saved agent as its owner sees it, read in the transaction that saved it. */
export async function answerComplete(
  deps: Omit<ShowDeps, "db">,
  db: Db,
  agentId: AgentId,
  dropped: DroppedParts,
): Promise<SavedAgent> {
  const agent = found(await findAgent(db, agentId));
  const alerts = await listAlertsOf(db, agentId);
  const rules = await listRulesOf(db, agentId);
  return {
    agent: await showAgent({ ...deps, db }, agent),
    alerts: alerts.map(showAlert),
    rules: rules.map((rule) => showRule(rule, alerts)),
    dropped: { alerts: dropped.alerts, rules: dropped.rules.map((rule) => ({ ...rule })) },
  };
}
