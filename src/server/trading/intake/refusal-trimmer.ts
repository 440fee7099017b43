import type { Db } from "../../store/postgres/db.ts";
import { trimRefusedEvents } from "../../store/alerts/alert-events.ts";
import type { TouchedAgent } from "./evaluate-batch.ts";

/** Refusals of one agent after which the oldest are trimmed. */
const TRIM_EVERY = 100;

/** Trims what is kept of an agent's refused alerts, each time so many more were refused. */
export interface RefusalTrimmer {
  count(touched: TouchedAgent): void;
  /** Resolves when nothing is being trimmed. */
  drain(): Promise<void>;
}

export function createRefusalTrimmer(db: Db, onError: (error: unknown) => void): RefusalTrimmer {
  const refusals = new Map<string, number>();
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
