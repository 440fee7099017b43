import { AppError } from "../../contract/errors.ts";
import type { Agent } from "../../contract/agent.ts";
import type { RequestOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import type { AgentDraft, SavedAgent } from "../../contract/save-agent.ts";
import type { AgentFields } from "../../domain/agent-draft.ts";
import { validateAgentFields } from "../../domain/agent-fields-validation.ts";
import { validateAgentDraft } from "../../domain/agent-validation.ts";
import type { AgentId } from "../../domain/ids.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { Session } from "../session.ts";
import { findAgent, lockLane, updateAgent, type AgentRecord } from "../store/agents/agents.ts";
import { hasUnsettledTransaction } from "../store/custody/custody.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { abandonUnsigned } from "../store/custody/custody.ts";
import type { Db } from "../store/postgres/db.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { changesOf, networkFor, refuseMove } from "./agent-changes.ts";
import { answerComplete } from "./answer-complete.ts";
import { type AgentState, changedFields, readAgentState } from "./changed-fields.ts";
import { checkRuleSet } from "./check-rule-set.ts";
import { showAgent } from "./show-agents.ts";
import {
  type LeavableAsset,
  refuseLeavingPosition,
  requireLeavable,
} from "./refuse-leaving-position.ts";
import { refusalOf } from "./refuse.ts";
import { saveAlerts } from "./save-alerts.ts";
import { saveRules } from "./save-rules.ts";

/** Saves an agent with its alerts and rules in one transaction. */
export async function updateCompleteAgent(
  deps: AgentDeps,
  agentId: AgentId,
  draft: RequestOf<typeof ROUTES.updateCompleteAgent>["body"],
  session: Session,
): Promise<SavedAgent> {
  const checked = validateAgentDraft(draft, VENUE_PROFILES);
  if (!checked.ok) throw refusalOf(checked);
  const { agent: fields, alerts, rules } = checked.value;
  const { marketId } = fields.market;
  const left = await refuseLeaving(deps, agentId, draft.agent, fields);
  const answer = await deps.db.transaction().execute(async (tx) => {
    const agent = await lockAgent(tx, agentId);
    refuseOverwriting(agent, draft.updatedAt);
    await requireLeavable(tx, agent, marketId, left);
    const before = await readAgentState(tx, agent);
    await writeFields(deps, tx, agent, draft.agent, fields);
    const alertIds = await saveAlerts(deps, tx, agentId, alerts);
    await saveRules(deps, tx, agentId, rules, alertIds);
    await audit(deps, tx, agentId, session, before);
    return answerComplete(deps, tx, agentId, checked.dropped);
  });
  announce(deps, agentId, session);
  return answer;
}

/** Saves the agent's own fields; its existing alerts and rules must remain valid. */
export async function saveAgent(
  deps: AgentDeps,
  agentId: AgentId,
  { agent: draft, updatedAt }: RequestOf<typeof ROUTES.saveAgent>["body"],
  session: Session,
): Promise<Agent> {
  const checked = validateAgentFields(draft, VENUE_PROFILES);
  if (!checked.ok) throw refusalOf(checked);
  const { marketId } = checked.value.market;
  const left = await refuseLeaving(deps, agentId, draft, checked.value);
  const saved = await deps.db.transaction().execute(async (tx) => {
    const agent = await lockAgent(tx, agentId);
    refuseOverwriting(agent, updatedAt);
    await requireLeavable(tx, agent, marketId, left);
    const before = await readAgentState(tx, agent);
    await writeFields(deps, tx, agent, draft, checked.value);
    await checkRuleSet(tx, agentId, checked.value.venue);
    await audit(deps, tx, agentId, session, before);
    return findAgent(tx, agentId);
  });
  if (saved === null) throw new AppError("not_found");
  announce(deps, agentId, session);
  return showAgent(deps, saved);
}

/** Refuses leaving venue, network or a held asset before the transaction of the save, which looks again. */
async function refuseLeaving(
  deps: AgentDeps,
  agentId: AgentId,
  draft: AgentDraft,
  { venue, market }: AgentFields,
): Promise<LeavableAsset | null> {
  const agent = await findAgent(deps.db, agentId);
  if (agent !== null) refuseMove(agent, draft, venue);
  return refuseLeavingPosition(deps, agent, market.marketId);
}

/** Locks the agent's lane and reads the agent, which may have been deleted since the ownership check. */
export async function lockAgent(tx: Db, agentId: AgentId): Promise<AgentRecord> {
  const isHeld = await lockLane(tx, agentId);
  const agent = isHeld ? await findAgent(tx, agentId) : null;
  if (agent === null) throw new AppError("not_found");
  return agent;
}

/** Refuses a save from a form opened before the agent's last change. A save without that time is not checked. */
function refuseOverwriting(agent: AgentRecord, openedAs: string | undefined): void {
  if (openedAs !== undefined && Date.parse(openedAs) !== agent.updatedAt.getTime()) {
    throw new AppError("agent_changed");
  }
}

async function writeFields(
  deps: AgentDeps,
  tx: Db,
  agent: AgentRecord,
  draft: AgentDraft,
  fields: AgentFields,
): Promise<void> {
  refuseMove(agent, draft, fields.venue);
  const isMoved =
    fields.venue !== agent.venue || (draft.network ?? agent.network) !== agent.network;
  const network = isMoved
    ? networkFor(deps.networks, draft.network ?? agent.network, fields)
    : agent.network;
  const changes = { ...changesOf(draft, fields), network };
  if (!(await updateAgent(tx, agent.id, changes, deps.clock.now()))) {
    throw new AppError("agent_already_exists");
  }
  if (!isMoved) return;
  // Asked after the row is written: whoever prepares one reads the row first
  if (await hasUnsettledTransaction(tx, agent.id)) throw new AppError("transaction_open");
  await abandonUnsigned(tx, agent.id);
}

async function audit(
  deps: AgentDeps,
  tx: Db,
  agentId: AgentId,
  session: Session,
  before: AgentState,
): Promise<void> {
  const fields = changedFields(before, await readAgentState(tx, await lockAgent(tx, agentId)));
  await insertAudit(tx, {
    at: deps.clock.now(),
    wallet: session.wallet,
    action: "agent_saved",
    object: agentId,
    detail: { fields },
  });
}

function announce(deps: AgentDeps, agentId: AgentId, session: Session): void {
  deps.publisher.publish(session.wallet, { topic: "chats" });
  deps.publisher.publish(session.wallet, { topic: "agent", id: agentId });
}
