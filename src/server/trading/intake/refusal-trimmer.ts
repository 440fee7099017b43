import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../../store/postgres/db.ts";
import { trimRefusedEvents } from "../../store/alerts/alert-events.ts";
import type { TouchedAgent } from "./evaluate-batch.ts";

/** Number of refusals of one agent after which its oldest ones are deleted. */
const TRIM_EVERY = 100;

/** Deletes the oldest recorded refusals of an agent, once per `TRIM_EVERY` new ones. */
export interface RefusalTrimmer {
  count(touched: TouchedAgent): void;
  /** Resolves when no deletion is in progress. */
  drain(): Promise<void>;
}

export function createRefusalTrimmer(db: Db, onError: (error: unknown) => void): RefusalTrimmer {
  const refusals = new Map<AgentId, number>();
  let trimming: Promise<void> = Promise.resolve();
  return {
    count({ agentId, refusals: added }) {
      if (added === 0) return;
      const count = (refusals.get(agentId) ?? 0) + added;
      if (count < TRIM_EVERY) {
        refusals.set(agentId, count);
        return;
      }
      refusals.delete(agentId);
      trimming = trimming
        .then(() => trimRefusedEvents(db, agentId))
        .catch((error: unknown) => onError(error));
    },
    drain: () => trimming,
  };
}
