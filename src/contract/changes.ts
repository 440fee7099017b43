import * as z from "zod/mini";
import { isoTime, serverId } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** One line of an agent's audit log. */
export const agentChange = z.strictObject({
  id: z.string(),
  at: isoTime,
  /** Past-tense snake case, for instance `agent_created`. */
  what: z.string(),
  /** Outside: seen on chain, done by none of us. */
  by: z.enum(["owner", "operator", "outside"]),
  /** Fields a save changed. */
  fields: z.optional(z.array(z.string())),
  /** What was seen on chain, in words. */
  text: z.optional(z.string()),
  /** What the owner asked a custody transaction for. */
  intent: z.optional(z.string()),
});

/** The newest 200 changes of an agent, newest first. */
export const listChanges = defineRoute({
  method: "GET",
  path: "/api/agents/:botId/changes",
  access: { kind: "owner", of: "agent", id: "params.botId" },
  params: z.strictObject({ botId: serverId }),
  status: 200,
  response: z.array(agentChange),
});
