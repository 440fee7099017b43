import type { KeyState } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";

/** Results of the last readings of an agent's accounts. */
export interface AgentLook {
  readonly network: Network;
  /** Time of the last completed reading; null before the first. */
  readonly doneAtMs: number | null;
  /** Time since which the chain or the venue does not answer; null while it does. */
  readonly failingSinceMs: number | null;
  readonly key: KeyState | null;
}

/**
 * Stores this process's last reading of each agent.
 *
 * Every server reads every agent itself, so after a restart the data is missing only until the first round.
 */
export interface AgentLooks {
  of(agentId: string): AgentLook | null;
  all(): readonly AgentLook[];
  sawKey(agent: CustodyAgent, key: KeyState): void;
  done(agent: CustodyAgent): void;
  failed(agent: CustodyAgent): void;
  /** Removes a network's agents that are not in the list. */
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
