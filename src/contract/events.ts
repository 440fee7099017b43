import * as z from "zod/mini";
import { agentId, chatId } from "./fields.ts";
import { READS, AGENT_TOPICS, CHAT_TOPICS } from "./route.ts";
import { route } from "./route.ts";

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

/** Server-sent events for the signed-in wallet: `stale` with a notice, `prices` with live prices, a comment every 15 s. */
export const streamEvents = route("GET", "/api/events", {
  ...READS,
  access: { kind: "session" },
  status: 200,
});
