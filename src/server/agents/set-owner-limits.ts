import type { Agent } from "../../contract/agent.ts";
import type { SentOwnerLimits } from "../../contract/owner-limit-fields.ts";
import type { AgentId } from "../../domain/ids.ts";
import { OWNER_LIMIT_NAMES, toOwnerLimits } from "../../domain/owner-limits.ts";
import type { Session } from "../session.ts";
import { type AuditEntry, insertAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import { storeOwnerLimits, storeResumed } from "../store/lanes/owner-limits.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { showAgent } from "./show-agents.ts";
import { lockAgent } from "./save-agent.ts";

/** Replaces an owner's limits for an agent. */
export function setOwnerLimits(
  deps: AgentDeps,
  agentId: AgentId,
  sent: SentOwnerLimits,
  session: Session,
): Promise<Agent> {
  return change(deps, agentId, session, async (tx, agent) => {
    const after = toOwnerLimits(sent);
    const fields = OWNER_LIMIT_NAMES.filter((name) => agent.limits[name] !== after[name]);
    await storeOwnerLimits(tx, agentId, { before: agent.limits, after }, deps.clock.now());
    return { action: "limits_set", detail: { fields, limits: sent } };
  });
}

/** Restarts the measurement of an agent's consecutive losses and drawdown from now. */
export function resumeAgent(deps: AgentDeps, agentId: AgentId, session: Session): Promise<Agent> {
  return change(deps, agentId, session, async (tx) => {
    await storeResumed(tx, agentId, deps.clock.now());
    return { action: "agent_resumed" };
  });
}

async function change(
  deps: AgentDeps,
  agentId: AgentId,
  session: Session,
  act: (tx: Db, agent: AgentRecord) => Promise<Pick<AuditEntry, "action" | "detail">>,
): Promise<Agent> {
  const saved = await deps.db.transaction().execute(async (tx) => {
    const done = await act(tx, await lockAgent(tx, agentId, session));
    await insertAudit(tx, {
      at: deps.clock.now(),
      wallet: session.wallet,
      object: agentId,
      ...done,
    });
    return lockAgent(tx, agentId);
  });
  deps.publisher.publish(session.wallet, { topic: "agent", id: agentId });
  return showAgent(deps, saved);
}
