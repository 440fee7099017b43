import * as z from "zod/mini";
import { isoTime, ownAgent } from "./fields.ts";
import { READS, route, type ResponseOf } from "./route.ts";

/** One entry of an agent's audit log. */
export const agentChange = z.strictObject({
  id: z.string(),
  at: isoTime,
  /** Past-tense snake case, for instance `agent_created`. */
  what: z.string(),
  /** `outside`: seen on chain and done by neither the owner nor the operator here. */
  by: z.enum(["owner", "operator", "outside"]),
  /** Fields a save changed. */
  fields: z.optional(z.array(z.string())),
  /** Description of what was seen on chain. */
  text: z.optional(z.string()),
  /** Intent of the custody transaction the owner asked for. */
  intent: z.optional(z.string()),
});

/** Largest number of changes in one response. */
export const CHANGES_PAGE = 200;

/**
 * A page of an agent's changes, newest first; fewer than 200 are the last page. `before` is the id of the previous
 * page's last change.
 */
export const listChanges = route("GET", "/api/agents/:botId/changes", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "custody"],
  freshMs: 0,
  query: z.strictObject({ before: z.optional(z.string().check(z.regex(/^\d{1,18}$/))) }),
  response: z.array(agentChange),
});

/** Entry of an agent's change history. */
export type AgentChange = ResponseOf<typeof listChanges>[number];
