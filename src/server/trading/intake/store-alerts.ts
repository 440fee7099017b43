import type { AgentId } from "../../../domain/ids.ts";
import {
  type KnownAgent,
  readAgents,
  transactAlerts,
} from "../../store/intake/alert-transaction.ts";
import { commitAlerts } from "../../store/intake/commit-alerts.ts";
import type { OpenDatabase } from "../../store/postgres/pool.ts";
import { lostRace } from "../../store/postgres/unavailable.ts";
import { createAlertMemory } from "./alert-memory.ts";
import type { Delivery } from "./delivery.ts";
import {
  type BatchOutcome,
  type Evaluated,
  type EvaluationTools,
  evaluateBatch,
  firingsOf,
} from "./evaluate-batch.ts";

export interface AlertStore {
  /** Evaluates one batch of deliveries and stores it durably in one transaction. */
  store(deliveries: readonly Delivery[]): Promise<BatchOutcome>;
  /** Returns whether an agent's state is cached, so that it need not be read. */
  isCached(agentId: AgentId): boolean;
}

/** Dependencies for storing a batch: the database and the evaluation tools. */
export interface AlertStoreDeps extends EvaluationTools {
  readonly database: Pick<OpenDatabase, "pool">;
}

/**
 * Creates the store. It decides deliveries on the cached agents when it can, else on agents read without locks, and
 * stores the decision where the agents are still the same; else it decides under the lock.
 */
export function createAlertStore(deps: AlertStoreDeps): AlertStore {
  const { pool } = deps.database;
  const memory = createAlertMemory();

  /** Returns null, with nothing stored, when the agents have changed since, or a firing was recorded before. */
  async function storeOn(
    known: ReadonlyMap<AgentId, KnownAgent>,
    deliveries: readonly Delivery[],
  ): Promise<Evaluated | null> {
    const evaluated = evaluateBatch(known, deliveries, deps);
    if (known.size === 0) return evaluated;
    const versions = [...known].map(([agentId, { version }]) => {
      const isCounted = evaluated.after.get(agentId)?.version !== version;
      return { agentId, version, isCounted };
    });
    try {
      const isCommitted = await commitAlerts(pool, versions, evaluated.writes);
      return isCommitted ? evaluated : null;
    } catch (error) {
      if (lostRace(error) === "taken") return null;
      throw error;
    }
  }

  function storeLocked(
    agentIds: readonly AgentId[],
    deliveries: readonly Delivery[],
  ): Promise<Evaluated> {
    const wanted = { agentIds, eventIds: firingsOf(deliveries) };
    return transactAlerts(pool, wanted, (known) => evaluateBatch(known, deliveries, deps));
  }

  return {
    isCached: memory.has,
    async store(deliveries) {
      const agentIds = [...new Set(deliveries.map((delivery) => delivery.agentId))];
      const known = memory.recall(agentIds) ?? (await readAgents(pool, agentIds));
      // What is cached is not trusted until the commit is confirmed
      memory.suspend(agentIds);
      const evaluated =
        (await storeOn(known, deliveries)) ?? (await storeLocked(agentIds, deliveries));
      memory.keep(evaluated, Math.max(...deliveries.map((each) => each.receivedAtMs)));
      return evaluated.value;
    },
  };
}
