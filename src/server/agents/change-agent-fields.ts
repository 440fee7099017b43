import { AppError } from "../../contract/errors.ts";
import type { Agent } from "../../contract/agent.ts";
import { agentNameKey } from "../../domain/agent-name.ts";
import type { AgentId, ChatId } from "../../domain/ids.ts";
import type { Session } from "../session.ts";
import { findAgentOfChat, updateAgent, type AgentChanges } from "../store/agents/agents.ts";
import type { AgentDeps } from "./agent-changes.ts";
import { showAgent } from "./show-agents.ts";
import { changeAgent, lockAgent } from "./save-agent.ts";
import type { SentOwnerLimits } from "../../contract/fields.ts";
import { OWNER_LIMIT_NAMES, toOwnerLimits } from "../../domain/owner-limits.ts";
import { storeOwnerLimits, storeResumed } from "../store/lanes/owner-limits.ts";

/** Updates single fields of an agent: prompts, hypothesis status, name. */
export async function changeAgentFields(
  deps: AgentDeps,
  agentId: AgentId,
  changes: AgentChanges,
  session: Session,
): Promise<Agent> {
  const saved = await changeAgent(deps, agentId, session, "agent_saved", async (tx) => {
    if (!(await updateAgent(tx, agentId, changes, deps.clock.now()))) {
      throw new AppError("agent_already_exists");
    }
    return { answer: await lockAgent(tx, agentId), detail: { fields: Object.keys(changes) } };
  });
  deps.publisher.publish(session.wallet, { topic: "chats" });
  return showAgent(deps, saved);
}

/** Renames the chat's agent; null when the chat holds none. */
export async function renameAgentOfChat(
  deps: AgentDeps,
  chatId: ChatId,
  text: string,
  session: Session,
): Promise<Agent | null> {
  const name = text.trim();
  if (name === "") {
    throw new AppError("validation_failed", { fields: { name: "Must not be blank." } });
  }
  const agent = await findAgentOfChat(deps.db, chatId);
  if (agent === null) return null;
  return changeAgentFields(deps, agent.id, { name, nameKey: agentNameKey(name) }, session);
}

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
