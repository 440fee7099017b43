import type { Agent } from "../../contract/agent.ts";
import type { SentOwnerLimits } from "../../contract/fields.ts";
import type { AgentId } from "../../domain/ids.ts";
import { OWNER_LIMIT_NAMES, toOwnerLimits } from "../../domain/owner-limits.ts";
import type { Session } from "../session.ts";
import { storeOwnerLimits, storeResumed } from "../store/lanes/owner-limits.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { showAgent } from "./show-agents.ts";
import { changeAgent, lockAgent } from "./save-agent.ts";

/** Replaces an owner's limits for an agent. */
export async function setOwnerLimits(
  deps: AgentDeps,
  agentId: AgentId,
  sent: SentOwnerLimits,
  session: Session,
): Promise<Agent> {
  const saved = await changeAgent(deps, agentId, session, "limits_set", async (tx, agent) => {
    const after = toOwnerLimits(sent);
    const fields = OWNER_LIMIT_NAMES.filter((name) => agent.limits[name] !== after[name]);
    await storeOwnerLimits(tx, agentId, { before: agent.limits, after }, deps.clock.now());
    return { answer: await lockAgent(tx, agentId), detail: { fields, limits: sent } };
  });
  return showAgent(deps, saved);
}

/** Restarts the measurement of an agent's consecutive losses and drawdown from now. */
export async function resumeAgent(
  deps: AgentDeps,
  agentId: AgentId,
  session: Session,
): Promise<Agent> {
  const saved = await changeAgent(deps, agentId, session, "agent_resumed", async (tx) => {
    await storeResumed(tx, agentId, deps.clock.now());
    return { answer: await lockAgent(tx, agentId) };
  });
  return showAgent(deps, saved);
}
