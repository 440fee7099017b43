import type { AgentId } from "../../../domain/ids.ts";
import { createRefusalTrimmer } from "./refusal-trimmer.ts";
import { createAlertStore } from "./store-alerts.ts";
import type { OpenDatabase } from "../../store/postgres/pool.ts";
import { isDatabaseUnavailable } from "../../store/postgres/unavailable.ts";
import { createReplacedTokenCounter } from "./count-replaced-tokens.ts";
import { createDeliveryQueue } from "./delivery-queue.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import type { BatchOutcome, EvaluationTools, TouchedAgent } from "./evaluate-batch.ts";
import type { WaitingDelivery } from "./waiting-delivery.ts";

/** Maximum number of concurrent transactions of cached agents: one commits while the next one fills. */
const MAX_CACHED_IN_FLIGHT = 2;

/** Minimum size of a second concurrent batch; smaller ones wait so that the fixed transaction cost is shared. */
const MIN_SECOND_BATCH = 6;

export interface ReceiveAlertsDeps extends EvaluationTools {
  /** Its connections need short timeouts: the sender waits three seconds. */
  readonly database: Pick<OpenDatabase, "db" | "pool">;
  /** Called after the commit, and again when alerts with a replaced token were counted; must not throw. */
  readonly onStored: (touched: TouchedAgent) => void;
  readonly onError: (error: unknown) => void;
}

/** Receives alerts. Resolves with the result once the delivery is stored durably and counted. */
export interface AlertReceiver {
  /** Rejects with `unavailable` in time for the sender to retry; a delivery that still waits then is never stored. */
  receive(delivery: Delivery): Promise<DeliveryResult>;
  /** Resolves when every received delivery has its result. */
  drain(): Promise<void>;
}

/**
 * Batches concurrent deliveries into one transaction.
 *
 * An agent is in at most one open batch, so its alerts are counted in the order they arrived.
 */
export function createAlertReceiver(deps: ReceiveAlertsDeps): AlertReceiver {
  const store = createAlertStore(deps);
  const refusals = createRefusalTrimmer(deps.database.db, deps.onError);
  const queue = createDeliveryQueue();
  const busyAgents = new Set<AgentId>();
  const openBatches = { cached: new Set<Promise<void>>(), others: new Set<Promise<void>>() };
  const replaced = createReplacedTokenCounter({ ...deps, db: deps.database.db });
  let isStartDue = false;

  /**
   * A batch is of cached agents only, or of others only: agents that have to be read, or do not exist, delay none that
   * is cached and cannot make its transaction fail.
   */
  function startBatches(): void {
    const { cached, others } = openBatches;
    const isReady = (agentId: AgentId, isCached: boolean) =>
      store.isCached(agentId) === isCached && !busyAgents.has(agentId);
    while (cached.size < MAX_CACHED_IN_FLIGHT) {
      const least = cached.size === 0 ? 1 : MIN_SECOND_BATCH;
      const batch = queue.take((agentId) => isReady(agentId, true), least);
      if (batch.length === 0) break;
      start(batch, cached);
    }
    if (others.size > 0) return;
    const batch = queue.take((agentId) => isReady(agentId, false), 1);
    if (batch.length > 0) start(batch, others);
  }

  function start(batch: readonly WaitingDelivery[], open: Set<Promise<void>>): void {
    const agentIds = new Set(batch.map((each) => each.delivery.agentId));
    for (const agentId of agentIds) busyAgents.add(agentId);
    const run = runBatch(batch).finally(() => {
      for (const agentId of agentIds) busyAgents.delete(agentId);
      open.delete(run);
      startBatches();
    });
    open.add(run);
  }

  async function runBatch(batch: readonly WaitingDelivery[]): Promise<void> {
    try {
      settle(batch, await store.store(batch.map(({ delivery }) => delivery)));
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        if (!isDatabaseUnavailable(error)) deps.onError(error);
        for (const each of batch) each.reject(error);
        return;
      }
      // One delivery cannot be stored: retry each alone so that the others of the batch do not fail with it
      for (const each of batch) if (!each.isOver()) await runBatch([each]);
    }
  }

  function settle(batch: readonly WaitingDelivery[], outcome: BatchOutcome): void {
    for (const [index, each] of batch.entries()) {
      const result = outcome.results[index];
      if (result === undefined) each.reject(new Error("A delivery has no result"));
      else each.resolve(result);
    }
    for (const touched of outcome.touched) {
      deps.onStored(touched);
      refusals.count(touched);
      if (touched.replacedToken !== null) {
        // The delivery is already refused: its sender need not wait for the count
        replaced.add(touched.agentId, touched.replacedToken, () => deps.onStored(touched));
      }
    }
  }

  return {
    receive(delivery) {
      const result = queue.add(delivery);
      if (!isStartDue) {
        isStartDue = true;
        // Deferred so that all requests read in this turn of the event loop share the transaction
        setImmediate(() => {
          isStartDue = false;
          startBatches();
        });
      }
      return result;
    },
    async drain() {
      const { cached, others } = openBatches;
      while (queue.size() + cached.size + others.size > 0) {
        await Promise.all([...cached, ...others]);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      await refusals.drain();
      await replaced.drain();
    },
  };
}
