import * as z from "zod/mini";
import { agent } from "./agent.ts";
import { renamed } from "./codec.ts";
import { agentId, agentParams, chatId, name, onOff, ownAgent, text } from "./fields.ts";
import { defineRoute } from "./route.ts";

const agentById = renamed(z.strictObject({ id: agentId }), { id: "agentId" });
const ownChat = { kind: "owner", of: "chat", id: "params.chatId" } as const;

/** Returns null when the chat has no agent. */
export const getAgentByChat = defineRoute({
  method: "GET",
  path: "/api/agents/get-agentBychatId/:chatId",
  access: ownChat,
  staleOn: ["chats", "agent", "custody"],
  freshMs: 30_000,
  params: z.strictObject({ chatId }),
  status: 200,
  response: z.nullable(agent),
});

export const renameAgent = defineRoute({
  method: "PUT",
  path: "/api/agents/update-agent-name/:chatId",
  access: ownChat,
  changes: ["agent"],
  params: z.strictObject({ chatId }),
  body: z.strictObject({
    name: name(0, 120).check(
      z.refine((name) => name.trim() !== "", { error: "Agent name is required" }),
    ),
  }),
  status: 200,
  response: z.nullable(agent),
});

/** Deletes only the records; refused while the agent still has custody on chain. */
export const deleteAgent = defineRoute({
  method: "DELETE",
  path: "/api/agents/delete-agent/:botId/complete",
  access: ownAgent,
  changes: ["chats"],
  params: agentParams,
  status: 204,
});

export const savePrompts = defineRoute({
  method: "PUT",
  path: "/api/agents/add-prompts-to-agent/:id",
  access: ownAgent,
  changes: ["agent"],
  params: agentById,
  body: z.strictObject({
    agent: z.strictObject({ buyReportPrompt: text(10_000), sellReportPrompt: text(10_000) }),
  }),
  status: 200,
  response: agent,
});

export const setHypothesisStatus = defineRoute({
  method: "PUT",
  path: "/api/agents/update-hypothesis-status/:id",
  access: ownAgent,
  changes: ["agent"],
  params: agentById,
  body: z.strictObject({ hypothesisStatus: onOff }),
  status: 200,
  response: agent,
});

/** Turning auto-trade off stops new exposure at once; the response says `stopping` until all positions are closed. */
export const setTradingStatus = defineRoute({
  method: "PUT",
  path: "/api/agents/:botId/trading-status",
  access: ownAgent,
  changes: ["agent"],
  confirms: "turn_on",
  params: agentParams,
  body: renamed(z.strictObject({ tradingStatus: onOff }), { tradingStatus: "autoTrade" }),
  status: 200,
  response: agent,
});

/** Ends the exits in progress and leaves their positions open; an agent that was stopping is then off. */
export const endExits = defineRoute({
  method: "POST",
  path: "/api/agents/:botId/end-exits",
  access: ownAgent,
  changes: ["agent"],
  params: agentParams,
  status: 200,
  response: agent,
});
