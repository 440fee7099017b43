import { transactAlerts } from "../../store/intake/alert-transaction.ts";
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
  isCached(agentId: string): boolean;
}

/** Dependencies for storing a batch: the database and the evaluation tools. */
export interface AlertStoreDeps extends EvaluationTools {
  readonly database: Pick<OpenDatabase, "pool">;
}

/**
 * Creates the store. It evaluates deliveries from the cached agents when it can, and otherwise reads them under the
 * lock.
 */
export function createAlertStore(deps: AlertStoreDeps): AlertStore {
  const memory = createAlertMemory();

  /**
   * Returns null when the cache does not suffice: an agent is missing or has changed, or a firing was recorded before.
   */
  async function storeFromMemory(
    agentIds: readonly string[],
    deliveries: readonly Delivery[],
  ): Promise<Evaluated | null> {
    const known = memory.recall(agentIds);
    if (known === null) return null;
    // The cache entries stay invalid until the commit is confirmed
    memory.forget(agentIds);
    const evaluated = evaluateBatch(known, deliveries, deps);
    const versions = [...known].map(([agentId, { version }]) => {
      const isCounted = evaluated.after.get(agentId)?.version !== version;
      return { agentId, version, isCounted };
    });
    try {
      const isCommitted = await commitAlerts(deps.database.pool, versions, evaluated.writes);
      return isCommitted ? evaluated : null;
    } catch (error) {
      if (lostRace(error) === "taken") return null;
      throw error;
    }
  }

  function storeAnew(
    agentIds: readonly string[],
    deliveries: readonly Delivery[],
  ): Promise<Evaluated> {
    const wanted = { agentIds, eventIds: firingsOf(deliveries) };
    return transactAlerts(deps.database.pool, wanted, (known) =>
      evaluateBatch(known, deliveries, deps),
    );
  }

  return {
    isCached: memory.has,
    async store(deliveries) {
      const agentIds = [...new Set(deliveries.map((delivery) => delivery.agentId))];
      const outcome =
        (await storeFromMemory(agentIds, deliveries)) ?? (await storeAnew(agentIds, deliveries));
      memory.keep(outcome.after, Math.max(...deliveries.map((each) => each.receivedAtMs)));
      return outcome.value;
    },
  };
}
