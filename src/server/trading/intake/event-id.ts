import { hash } from "node:crypto";

/**
 * Returns the id of the event that records a firing: the same for all its deliveries, so that the primary key refuses
 * to record it twice.
 */
export const eventIdOf = (agentId: string, dedupKey: string): string =>
  hash("sha256", `${agentId}\n${dedupKey}`, "hex").slice(0, 32);
