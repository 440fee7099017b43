import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../../store/postgres/db.ts";
import {
  addReplacedTokenAlerts,
  type ReplacedTokenAlerts,
} from "../../store/alerts/replaced-token-alerts.ts";

/** Counts alerts that arrived with a replaced webhook token. */
export interface ReplacedTokenCounter {
  /** Adds to the agent's count; calls `onStored` once the count is stored. */
  add(agentId: AgentId, counted: ReplacedTokenAlerts, onStored: () => void): void;
  /** Resolves when every added count is stored. */
  drain(): Promise<void>;
}

interface Waiting extends ReplacedTokenAlerts {
  readonly onStored: () => void;
}

/** Creates a counter that merges counts while a write is in progress, so that a flood causes few writes. */
export function createReplacedTokenCounter(deps: {
  readonly db: Db;
  readonly onError: (error: unknown) => void;
}): ReplacedTokenCounter {
  let waiting = new Map<AgentId, Waiting>();
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      try {
        await addReplacedTokenAlerts(deps.db, batch);
        for (const { onStored } of batch.values()) onStored();
      } catch (error) {
        deps.onError(error);
      }
    }
    writing = null;
  }

  return {
    add(agentId, { alerts, lastAtMs }, onStored) {
      const before = waiting.get(agentId);
      waiting.set(agentId, {
        alerts: alerts + (before?.alerts ?? 0),
        lastAtMs: Math.max(lastAtMs, before?.lastAtMs ?? 0),
        onStored,
      });
      writing ??= write();
    },
    drain: () => writing ?? Promise.resolve(),
  };
}
