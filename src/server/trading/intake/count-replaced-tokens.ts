import type { Db } from "../../store/postgres/db.ts";
import {
  addReplacedTokenAlerts,
  type ReplacedTokenAlerts,
} from "../../store/alerts/replaced-token-alerts.ts";

/** Counts alerts that came with a replaced token. */
export interface ReplacedTokenCounter {
  /** Calls back once they are stored. */
  add(agentId: string, counted: ReplacedTokenAlerts, onStored: () => void): void;
  /** Resolves when everything added is stored. */
  drain(): Promise<void>;
}

interface Waiting extends ReplacedTokenAlerts {
  readonly onStored: () => void;
}

/** Adds up while one write is under way, so that a flood costs few writes. */
export function createReplacedTokenCounter(deps: {
  readonly db: Db;
  readonly onError: (error: unknown) => void;
}): ReplacedTokenCounter {
  let waiting = new Map<string, Waiting>();
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
