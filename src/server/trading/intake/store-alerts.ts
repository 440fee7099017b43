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

/** Stores one batch of deliveries durably, evaluated, in one transaction. */
export type StoreAlerts = (deliveries: readonly Delivery[]) => Promise<BatchOutcome>;

/** What storing a batch takes: where to, and what evaluates it. */
export interface AlertStoreDeps extends EvaluationTools {
  readonly database: Pick<OpenDatabase, "pool">;
}

/** Remembers the agents it last served and judges their next deliveries from that; otherwise it reads anew under the lock. */
export function createAlertStore(deps: AlertStoreDeps): StoreAlerts {
  const memory = createAlertMemory();

  /** Null when memory does not do: an agent is not in it or has changed, or a firing is one recorded before. */
  async function storeFromMemory(
    agentIds: readonly string[],
    deliveries: readonly Delivery[],
  ): Promise<Evaluated | null> {
    const known = memory.recall(agentIds);
    if (known === null) return null;
    // Until it is known to be committed it is not known at all
    memory.forget(agentIds);
    const evaluated = evaluateBatch(known, deliveries, deps);
    const versions = [...known].map(([agentId, { version }]) => ({ agentId, version }));
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
    const wanted = { agentIds, firings: firingsOf(deliveries) };
    return transactAlerts(deps.database.pool, wanted, (known) =>
      evaluateBatch(known, deliveries, deps),
    );
  }

  return async (deliveries) => {
    const agentIds = [...new Set(deliveries.map((delivery) => delivery.agentId))];
    const outcome =
      (await storeFromMemory(agentIds, deliveries)) ?? (await storeAnew(agentIds, deliveries));
    memory.keep(outcome.after);
    return outcome.value;
  };
}
