import * as z from "zod/mini";
import { serverId } from "./fields.ts";
import { defineRoute } from "./route.ts";

/**
 * Names data that became stale in a browser. It carries no data: the browser fetches again through the ordinary calls.
 */
export const staleNotice = z.strictObject({
  topic: z.enum([
    "chats",
    "messages",
    "agent",
    "signals",
    "trade-log",
    "position",
    "custody",
    "hypotheses",
    "ledger",
  ]),
  /** Id of the chat (messages, trade-log, hypotheses) or of the agent (all others); absent for chats. */
  id: z.optional(serverId),
});

export type StaleNotice = z.infer<typeof staleNotice>;

/** Server-sent events for the signed-in wallet; `event: stale` with a notice, a comment every 15 s. */
export const streamEvents = defineRoute({
  method: "GET",
  path: "/api/events",
  access: { kind: "session" },
  status: 200,
});
