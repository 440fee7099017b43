import { hash } from "node:crypto";
import { type AgentId, type EventId, parseEventId } from "../../../domain/ids.ts";

/**
 * Returns the id of the event that records a firing: the same for all its deliveries, so that the primary key refuses
 * to record it twice.
 */
export const eventIdOf = (agentId: AgentId, dedupKey: string): EventId =>
  parseEventId(hash("sha256", `${agentId}\n${dedupKey}`, "hex").slice(0, 32));
