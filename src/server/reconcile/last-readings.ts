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
export function createLastReadings({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const keys = new Map<string, KeyState>();
  const ended = new Map<string, EndedReading>();
  const end = ({ agentId, network }: CustodyAgent, failure: string | null): void => {
    const key = keys.get(agentId) ?? null;
    keys.delete(agentId);
    ended.set(agentId, { agentId, network, atMs: clock.now(), failure, key });
  };
  return {
    sawKey: ({ agentId }: CustodyAgent, key: KeyState): void => void keys.set(agentId, key),
    done: (agent: CustodyAgent): void => end(agent, null),
    /** Keeps why the chain or the venue did not answer, one sentence. */
    failed: (agent: CustodyAgent, reason: string): void => end(agent, reason),
    /** Removes a network's agents that are not in the list. */
    keepOnly: (network: Network, agentIds: readonly AgentId[]): Promise<void> =>
      keepLastReadings(db, network, agentIds),
    /** Stores the readings that ended since the last call. */
    async save(): Promise<void> {
      const looks = [...ended.values()];
      ended.clear();
      await saveLastReadings(db, looks);
    },
  };
}

export type LastReadings = ReturnType<typeof createLastReadings>;
