import type { AgentId } from "../../../domain/ids.ts";
import type { KnownAgent } from "../../store/intake/alert-transaction.ts";

/** Maximum number of cached agents; the least recently used is evicted first. About 3 kB each. */
const MAX_AGENTS = 20_000;

/** An agent without a delivery for an hour is evicted: the cache holds the agents in use. */
const UNUSED_AFTER_MS = 3_600_000;

interface AgentChanges {
  readonly before: ReadonlyMap<AgentId, KnownAgent>;
  readonly after: ReadonlyMap<AgentId, KnownAgent>;
}

interface CachedAgent {
  readonly known: KnownAgent;
  readonly usedAtMs: number;
  isTrusted: boolean;
}

/**
 * Creates an in-memory cache of agents that recently received alerts; an entry is valid while its lane's version is
 * unchanged.
 *
 * An agent whose version another server has raised is not trusted until its version was found unchanged once: where
 * servers get its alerts in turn, trying would be in vain nearly each time.
 */
export function createAlertMemory(maxAgents = MAX_AGENTS) {
  const kept = new Map<AgentId, CachedAgent>();
  return {
    /** Whether the agent's state is cached and trusted. */
    has: (agentId: AgentId) => kept.get(agentId)?.isTrusted === true,
    /** Returns the cached state of all given agents, or null when any of them is not cached and trusted. */
    recall(agentIds: readonly AgentId[]): ReadonlyMap<AgentId, KnownAgent> | null {
      const found = new Map<AgentId, KnownAgent>();
      for (const agentId of agentIds) {
        const entry = kept.get(agentId);
        if (entry?.isTrusted !== true) return null;
        found.set(agentId, entry.known);
      }
      return found;
    },
    /** Distrusts agents that are being changed, until they are kept again. */
    suspend(agentIds: readonly AgentId[]) {
      for (const agentId of agentIds) {
        const entry = kept.get(agentId);
        if (entry !== undefined) entry.isTrusted = false;
      }
    },
    /** Caches the state of agents after a commit that was decided on the given state. */
    keep({ before, after }: AgentChanges, usedAtMs: number) {
      for (const [agentId, known] of after) {
        const last = kept.get(agentId)?.known.version;
        const isTrusted = last === undefined || last === before.get(agentId)?.version;
        kept.delete(agentId);
        kept.set(agentId, { known, usedAtMs, isTrusted });
      }
      // The first entries are the least recently used
      for (const [agentId, oldest] of kept) {
        if (kept.size <= maxAgents && oldest.usedAtMs > usedAtMs - UNUSED_AFTER_MS) break;
        kept.delete(agentId);
      }
    },
  };
}
