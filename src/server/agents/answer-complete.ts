import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { AppError } from "../../contract/errors.ts";
import type { DroppedParts } from "../../domain/agent-draft.ts";
import type { AgentId } from "../../domain/ids.ts";
import { findAgent } from "../store/agents/agents.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";
import { listRulesOf } from "../store/alerts/rules.ts";
import { type PresentDeps, presentOne } from "./present-agents.ts";
import { presentAlert, presentRule } from "./present-rule.ts";

/** Returns the saved agent in its wire format, read in the transaction that saved it. */
export async function answerComplete(
  deps: Omit<PresentDeps, "db">,
  db: Db,
  agentId: AgentId,
  dropped: DroppedParts,
): Promise<ResponseOf<typeof ROUTES.createCompleteAgent>> {
  const agent = await findAgent(db, agentId);
  if (agent === null) throw new AppError("not_found");
  const alerts = await listAlertsOf(db, agentId);
  const rules = await listRulesOf(db, agentId);
  return {
    agent: await presentOne({ ...deps, db }, agent),
    alerts: alerts.map(presentAlert),
    rules: rules.map((rule) => presentRule(rule, alerts)),
    dropped: { alerts: dropped.alerts, rules: dropped.rules.map((rule) => ({ ...rule })) },
  };
}
