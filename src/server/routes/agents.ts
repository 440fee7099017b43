import type { AgentDeps } from "../agents/agent-changes.ts";
import {
  changeAgentFields,
  renameAgentOfChat,
  resumeAgent,
  setOwnerLimits,
} from "../agents/change-agent-fields.ts";
import { createCompleteAgent } from "../agents/create-agent.ts";
import { deleteAgent } from "../agents/delete-agent.ts";
import { showAgent } from "../agents/show-agents.ts";
import { saveAgent, updateCompleteAgent } from "../agents/save-agent.ts";
import { findAgentOfChat } from "../store/agents/agents.ts";
import type { Handlers } from "../http/handler.ts";

export function agentHandlers(deps: AgentDeps) {
  return {
    createCompleteAgent: ({ body, session }) => createCompleteAgent(deps, body, session),

    updateCompleteAgent: ({ params, body, session }) =>
      updateCompleteAgent(deps, params.agentId, body, session),

    saveAgent: ({ params, body, session }) => saveAgent(deps, params.agentId, body, session),

    async getAgentByChat({ params }) {
      const agent = await findAgentOfChat(deps.db, params.chatId);
      return agent && showAgent(deps, agent);
    },

    renameAgent: ({ params, body, session }) =>
      renameAgentOfChat(deps, params.chatId, body.name, session),

    deleteAgent: ({ params, session }) => deleteAgent(deps, params.agentId, session),

    savePrompts: ({ params, body, session }) =>
      changeAgentFields(deps, params.agentId, body.agent, session),

    setHypothesisStatus: ({ params, body, session }) =>
      changeAgentFields(deps, params.agentId, { hypothesisStatus: body.hypothesisStatus }, session),

    setOwnerLimits: ({ params, body, session }) =>
      setOwnerLimits(deps, params.agentId, body.limits, session),

    resumeAgent: ({ params, session }) => resumeAgent(deps, params.agentId, session),
  } satisfies Partial<Handlers>;
}
