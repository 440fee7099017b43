import type { KeyState } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";

/** What the last looks at an agent's accounts showed. */
export interface AgentLook {
  readonly network: Network;
  /** When a look was last finished; null where none was yet. */
  readonly doneAtMs: number | null;
  /** Since when the chain or the venue does not answer; null while it does. */
  readonly failingSinceMs: number | null;
  readonly key: KeyState | null;
}

/**
 * Remembers this process's last look at each agent.
 *
 * Every server looks at every agent by itself, so a restart only forgets until the first round.
 */
export interface AgentLooks {
  of(agentId: string): AgentLook | null;
  all(): readonly AgentLook[];
  sawKey(agent: CustodyAgent, key: KeyState): void;
  done(agent: CustodyAgent): void;
  failed(agent: CustodyAgent): void;
  /** Forgets a network's agents that are not among these. */
  keepOnly(network: Network, agentIds: readonly string[]): void;
}

export function createAgentLooks(clock: Clock): AgentLooks {
  const looks = new Map<string, AgentLook>();
  const change = ({ agentId, network }: CustodyAgent, changes: Partial<AgentLook>): void => {
    const known = looks.get(agentId) ?? { doneAtMs: null, failingSinceMs: null, key: null };
    looks.set(agentId, { ...known, ...changes, network });
  };
  return {
    of: (agentId) => looks.get(agentId) ?? null,
    all: () => [...looks.values()],
    sawKey: (agent, key) => change(agent, { key }),
    done: (agent) => change(agent, { doneAtMs: clock.now(), failingSinceMs: null }),
    failed(agent) {
      const since = looks.get(agent.agentId)?.failingSinceMs ?? clock.now();
      change(agent, { failingSinceMs: since, key: null });
    },
    keepOnly(network, agentIds) {
      const kept = new Set(agentIds);
      for (const [agentId, look] of looks) {
        if (look.network === network && !kept.has(agentId)) looks.delete(agentId);
      }
    },
  };
}
