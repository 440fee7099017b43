import type { KnownAgent } from "../../store/intake/alert-transaction.ts";

/** Maximum number of cached agents; the least recently used is evicted first. About 3 kB each. */
const MAX_AGENTS = 20_000;

/** An agent without a delivery for an hour is evicted: the cache holds the agents in use. */
const UNUSED_AFTER_MS = 3_600_000;

/** In-memory cache of agents that recently received alerts; an entry is valid while its lane's version is unchanged. */
export interface AlertMemory {
  has(agentId: string): boolean;
  /** Returns the cached state of all given agents, or null when any of them is not cached. */
  recall(agentIds: readonly string[]): ReadonlyMap<string, KnownAgent> | null;
  keep(agents: ReadonlyMap<string, KnownAgent>, usedAtMs: number): void;
  forget(agentIds: readonly string[]): void;
}

interface Kept {
  readonly known: KnownAgent;
  readonly usedAtMs: number;
}

export function createAlertMemory(maxAgents = MAX_AGENTS): AlertMemory {
  const kept = new Map<string, Kept>();
  return {
    has: (agentId) => kept.has(agentId),
    recall(agentIds) {
      const found = new Map<string, KnownAgent>();
      for (const agentId of agentIds) {
        const entry = kept.get(agentId);
        if (entry === undefined) return null;
        found.set(agentId, entry.known);
      }
      return found;
    },
    keep(agents, usedAtMs) {
      for (const [agentId, known] of agents) {
        kept.delete(agentId);
        kept.set(agentId, { known, usedAtMs });
      }
      // The first entries are the least recently used
      for (const [agentId, oldest] of kept) {
        if (kept.size <= maxAgents && oldest.usedAtMs > usedAtMs - UNUSED_AFTER_MS) break;
        kept.delete(agentId);
      }
    },
    forget(agentIds) {
      for (const agentId of agentIds) kept.delete(agentId);
    },
  };
}
