import * as z from "zod/mini";
import { MAX_AGENT_NAME } from "../domain/name-key.ts";
import { agent } from "./agent.ts";
import { renamed } from "./codec.ts";
import { agentId, name, onOff, ownAgent, ownChat, portion, serverId, text } from "./fields.ts";
import { READS, free, route } from "./route.ts";

const agentById = {
  ...ownAgent,
  params: renamed(z.strictObject({ id: agentId }), { id: "agentId" }),
};

/** Returns null when the chat has no agent. */
export const getAgentByChat = route("GET", "/api/agents/get-agentBychatId/:chatId", {
  ...READS,
  ...ownChat,
  staleOn: ["chats", "agent", "custody"],
  freshMs: 30_000,
  response: z.nullable(agent),
});

export const renameAgent = route("PUT", "/api/agents/update-agent-name/:chatId", {
  ...free("A name trades nothing; texts to sign show it in quotes beside the set-up."),
  ...ownChat,
  changes: ["agent"],
  body: z.strictObject({
    name: name(0, MAX_AGENT_NAME).check(
      z.refine((name) => name.trim() !== "", { error: "Agent name is required" }),
    ),
  }),
  response: z.nullable(agent),
});

/** Deletes only the records; refused while the agent still has custody on chain. */
export const deleteAgent = route("DELETE", "/api/agents/delete-agent/:botId/complete", {
  ...free("It is refused while the agent holds anything on chain."),
  ...ownAgent,
  changes: ["chats"],
});

export const savePrompts = route("PUT", "/api/agents/add-prompts-to-agent/:id", {
  ...free("Prompts only write reports."),
  ...agentById,
  changes: ["agent"],
  body: z.strictObject({
    agent: z.strictObject({ buyReportPrompt: text(10_000), sellReportPrompt: text(10_000) }),
  }),
  response: agent,
});

export const setHypothesisStatus = route("PUT", "/api/agents/update-hypothesis-status/:id", {
  ...free("Reports trade nothing."),
  ...agentById,
  changes: ["agent"],
  body: z.strictObject({ hypothesisStatus: onOff }),
  response: agent,
});

/** Turning auto-trade off stops new exposure at once; the response says `stopping` until all positions are closed. */
export const setTradingStatus = route("PUT", "/api/agents/:botId/trading-status", {
  bearer: "turn_on",
  ...ownAgent,
  changes: ["agent"],
  body: renamed(z.strictObject({ tradingStatus: onOff }), { tradingStatus: "autoTrade" }),
  response: agent,
});

/** Ends the exits in progress and leaves their positions open; an agent that was stopping is then off. */
export const endExits = route("POST", "/api/agents/:botId/end-exits", {
  bearer: "ended_exits",
  ...ownAgent,
  changes: ["agent"],
  response: agent,
});

/**
 * Closes the agent's position, or a part of it, at the market and leaves auto-trade as it is: the exit is tried until
 * that is closed. `side` is the position's; the other side is never closed. The same `requestId` begins at most one exit.
 */
export const closePosition = route("POST", "/api/agents/:botId/close-position", {
  ...free(
    "It only tightens: exposure falls, as by turning off, and the money stays in the owner's vault.",
  ),
  ...ownAgent,
  changes: ["agent", "trade-log"],
  body: z.strictObject({
    side: z.enum(["long", "short"]),
    requestId: serverId,
    portion: z.optional(portion),
  }),
  response: agent,
});
