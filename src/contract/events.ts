import * as z from "zod/mini";
import { agentId, chatId } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** What a notice can name: topics of a chat, of an agent, and the wallet's chats. */
const CHAT_TOPICS = ["messages", "trade-log", "hypotheses"] as const;
const AGENT_TOPICS = ["agent", "signals", "position", "custody", "ledger"] as const;
export const STALE_TOPICS = ["chats", ...CHAT_TOPICS, ...AGENT_TOPICS] as const;

/**
 * Names data that became stale in a browser. It carries no data: the browser fetches again through the ordinary calls.
 * A notice of all chats or agents has no id.
 */
export const staleNotice = z.discriminatedUnion("topic", [
  z.strictObject({ topic: z.literal("chats") }),
  z.strictObject({ topic: z.enum(CHAT_TOPICS), id: z.optional(chatId) }),
  z.strictObject({ topic: z.enum(AGENT_TOPICS), id: z.optional(agentId) }),
]);

export type StaleNotice = z.infer<typeof staleNotice>;

/** Server-sent events for the signed-in wallet; `event: stale` with a notice, a comment every 15 s. */
export const streamEvents = defineRoute({
  method: "GET",
  path: "/api/events",
  access: { kind: "session" },
  status: 200,
});
