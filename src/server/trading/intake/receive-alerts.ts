import { createRefusalTrimmer } from "./refusal-trimmer.ts";
import { createAlertStore } from "./store-alerts.ts";
import { AppError } from "../../../contract/errors.ts";
import type { OpenDatabase } from "../../store/postgres/pool.ts";
import { isDatabaseUnavailable } from "../../store/postgres/unavailable.ts";
import { createReplacedTokenCounter } from "./count-replaced-tokens.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import type { BatchOutcome, EvaluationTools, TouchedAgent } from "./evaluate-batch.ts";

/** Most deliveries one transaction takes. */
const MAX_BATCH = 128;

/** Transactions that may be open at once: while one is being made durable the next is being filled. */
const MAX_BATCHES_IN_FLIGHT = 2;

/** Deliveries a batch beside another one takes at least: what a transaction costs whatever is in it is shared. */
const MIN_SECOND_BATCH = 6;

/** Deliveries that may wait; beyond that the sender is told to come again. */
const MAX_WAITING = 5_000;

export interface ReceiveAlertsDeps extends EvaluationTools {
  /** Its connections should give up early: the sender waits three seconds. */
  readonly database: Pick<OpenDatabase, "db" | "pool">;
  /** Hears after the commit what changed, and again when alerts with a replaced token were counted; must not throw. */
  readonly onStored: (touched: TouchedAgent) => void;
  readonly onError: (error: unknown) => void;
}

/** Takes alerts in. Resolves once the delivery is stored durably and counted, with what became of it. */
export interface AlertReceiver {
  receive(delivery: Delivery): Promise<DeliveryResult>;
  /** Resolves when everything handed in is answered. */
  drain(): Promise<void>;
}

interface Waiting {
  readonly delivery: Delivery;
  readonly resolve: (result: DeliveryResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers concurrent deliveries into one transaction.
 *
 * An agent is in one open batch at a time, so its alerts are counted in the order they came in.
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
      // One of them cannot be stored; its neighbours must not pay for it
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
        // Refused already: what is counted of it need not be waited for
        replaced.add(touched.agentId, touched.replacedToken, () => deps.onStored(touched));
      }
    }
  }

  return {
    receive(delivery) {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new AppError("unavailable"));
      return new Promise((resolve, reject) => {
        waiting.push({ delivery, resolve, reject });
        // Requests read from the sockets in this turn of the loop share the transaction
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
