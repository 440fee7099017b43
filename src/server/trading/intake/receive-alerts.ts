import { createRefusalTrimmer } from "./refusal-trimmer.ts";
import { createAlertStore } from "./store-alerts.ts";
import { AppError } from "../../../contract/errors.ts";
import type { OpenDatabase } from "../../store/postgres/pool.ts";
import { isDatabaseUnavailable } from "../../store/postgres/unavailable.ts";
import { createReplacedTokenCounter } from "./count-replaced-tokens.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import type { BatchOutcome, EvaluationTools, TouchedAgent } from "./evaluate-batch.ts";

/** Maximum number of deliveries per transaction. */
const MAX_BATCH = 128;

/** Maximum number of concurrent transactions: one commits while the next one fills. */
const MAX_BATCHES_IN_FLIGHT = 2;

/** Minimum size of a second concurrent batch; smaller ones wait so that the fixed transaction cost is shared. */
const MIN_SECOND_BATCH = 6;

/** Maximum queue length; beyond it deliveries are refused and the sender is asked to retry. */
const MAX_WAITING = 5_000;

export interface ReceiveAlertsDeps extends EvaluationTools {
  /** Its connections need short timeouts: the sender waits three seconds. */
  readonly database: Pick<OpenDatabase, "db" | "pool">;
  /** Called after the commit, and again when alerts with a replaced token were counted; must not throw. */
  readonly onStored: (touched: TouchedAgent) => void;
  readonly onError: (error: unknown) => void;
}

/** Receives alerts. Resolves with the result once the delivery is stored durably and counted. */
export interface AlertReceiver {
  receive(delivery: Delivery): Promise<DeliveryResult>;
  /** Resolves when every received delivery has its result. */
  drain(): Promise<void>;
}

interface Waiting {
  readonly delivery: Delivery;
  readonly resolve: (result: DeliveryResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches concurrent deliveries into one transaction.
 *
 * An agent is in at most one open batch, so its alerts are counted in the order they arrived.
 */
export function createAlertReceiver(deps: ReceiveAlertsDeps): AlertReceiver {
  const store = createAlertStore(deps);
  const refusals = createRefusalTrimmer(deps.database.db, deps.onError);
  let waiting: Waiting[] = [];
  const busyAgents = new Set<string>();
  const openBatches = new Set<Promise<void>>();
  const replaced = createReplacedTokenCounter({ ...deps, db: deps.database.db });

  function startBatches(): void {
    while (openBatches.size < MAX_BATCHES_IN_FLIGHT) {
      const batch = waiting
        .filter((each) => !busyAgents.has(each.delivery.agentId))
        .slice(0, MAX_BATCH);
      if (batch.length < (openBatches.size === 0 ? 1 : MIN_SECOND_BATCH)) return;
      const taken = new Set(batch);
      waiting = waiting.filter((each) => !taken.has(each));
      const agentIds = new Set(batch.map((each) => each.delivery.agentId));
      for (const agentId of agentIds) busyAgents.add(agentId);
      const run = runBatch(batch).finally(() => {
        for (const agentId of agentIds) busyAgents.delete(agentId);
        openBatches.delete(run);
        startBatches();
      });
      openBatches.add(run);
    }
  }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      settle(batch, await store(batch.map(({ delivery }) => delivery)));
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        if (!isDatabaseUnavailable(error)) deps.onError(error);
        for (const each of batch) each.reject(error);
        return;
      }
      // One delivery cannot be stored: retry each alone so that the others of the batch do not fail with it
      for (const each of batch) await runBatch([each]);
    }
  }

  function settle(batch: readonly Waiting[], outcome: BatchOutcome): void {
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
      if (waiting.length >= MAX_WAITING) return Promise.reject(new AppError("unavailable"));
      return new Promise((resolve, reject) => {
        waiting.push({ delivery, resolve, reject });
        // Deferred so that all requests read in this turn of the event loop share the transaction
        setImmediate(startBatches);
      });
    },
    async drain() {
      while (waiting.length > 0 || openBatches.size > 0) {
        await Promise.all(openBatches);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      await refusals.drain();
      await replaced.drain();
    },
  };
}
