import type { KeyState } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  type EndedReading,
  keepLastReadings,
  saveLastReadings,
} from "../store/reconcile/last-readings.ts";

/** Collects what the readings of the agents show, to store those made together at once. */
export interface LastReadings {
  sawKey(agent: CustodyAgent, key: KeyState): void;
  done(agent: CustodyAgent): void;
  /** Keeps why the chain or the venue did not answer, one sentence. */
  failed(agent: CustodyAgent, reason: string): void;
  /** Removes a network's agents that are not in the list. */
  keepOnly(network: Network, agentIds: readonly AgentId[]): Promise<void>;
  /** Stores the readings that ended since the last call. */
  save(): Promise<void>;
}

export function createLastReadings({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): LastReadings {
  const keys = new Map<string, KeyState>();
  const ended = new Map<string, EndedReading>();
  const end = ({ agentId, network }: CustodyAgent, failure: string | null): void => {
    const key = keys.get(agentId) ?? null;
    keys.delete(agentId);
    ended.set(agentId, { agentId, network, atMs: clock.now(), failure, key });
  };
  return {
    sawKey: ({ agentId }, key) => void keys.set(agentId, key),
    done: (agent) => end(agent, null),
    failed: end,
    keepOnly: (network, agentIds) => keepLastReadings(db, network, agentIds),
    async save() {
      const looks = [...ended.values()];
      ended.clear();
      await saveLastReadings(db, looks);
    },
  };
}
