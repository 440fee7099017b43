import type { Clock } from "../domain/clock.ts";
import { ChainUnavailableError } from "./chain.ts";

/**
 * Purpose of a call, in falling priority. `exit` closes positions and follows what closes them; `entry` opens positions and
 * follows what opens them; `owner` is for the owner's transactions; `reconcile` compares records with the chain; `screen` is for
 * displayed figures.
 */
export const CALL_CLASSES = ["exit", "entry", "owner", "reconcile", "screen"] as const;

export type CallClass = (typeof CALL_CLASSES)[number];

/** Most of a budget that pages take of it. */
export const PAGES_SHARE = 1 / 3;

/** A process that asks the nodes of another one's budget, too. */
export type Asker = "pages" | "signer";

/** The budget had no request left for as long as a call may wait: no node was asked, and none would be sooner. */
export class BudgetUsedUpError extends ChainUnavailableError {}

/** Rate limit on requests to a network's nodes, shared out by priority. */
export interface RequestBudget {
  /**
   * Resolves when `count` requests of a class may be sent. An exit does not wait while nodes take what it asks; it may
   * overdraw the budget, and the other classes wait longer. Just after a refusal exits go one by one, before all others.
   *
   * Throws `BudgetUsedUpError` when the class's maximum wait is over first.
   */
  take(callClass: CallClass, count: number): Promise<void>;
  /**
   * Hears of requests that another process sent to the same nodes. Pages' process may be somebody else's by then: no more
   * are believed than it may send, so that exits keep the rest.
   */
  spent(count: number, by: Asker): void;
  /**
   * Hears that a node refused a request because of its rate: what was saved up is gone. A refusal of what the budget
   * allowed tells that the node saves up for a second at most, and any later one that its rate is lower for now.
   */
  limited(): void;
}

/** Burst size after an idle time, as seconds of requests. */
export const BURST_SECONDS = 4;

/** Burst size once a node has refused requests, in seconds. */
const REFUSED_BURST_SECONDS = 1;

/** Time after a refusal in which exits go one by one, in milliseconds. */
const IN_TURN_MS = 2_000;

/** What is left of the rate after a refusal, at least, and the time in which all of it comes back, in milliseconds. */
const LOWER = { to: 0.8, least: 0.1, backInMs: 60_000 };

/** Refusals within this time of one that taught something are of requests that were under way, in milliseconds. */
const SAME_REFUSAL_MS = 1_000;

/** Share of a full bucket that a class leaves for higher classes; what reconciles goes on when nothing else is asked. */
const LEFT_ALONE: Readonly<Record<CallClass, number>> = {
  exit: 0,
  entry: 0.1,
  owner: 0.2,
  reconcile: 0.8,
  screen: 0.5,
};

/** Longest wait of a call before it counts as unanswered, milliseconds. */
const PATIENCE_MS: Readonly<Record<CallClass, number>> = {
  exit: 10_000,
  entry: 10_000,
  owner: 5_000,
  reconcile: 120_000,
  screen: 1_000,
};

/** Longest pause between two checks of the queue: a call of higher priority may have arrived, milliseconds. */
const LOOK_MS = 50;

interface Waiting {
  readonly count: number;
  readonly untilMs: number;
  readonly go: () => void;
  readonly giveUp: () => void;
}

/** Creates the bucket of requests that may be sent now, in thousandths, so that milliseconds add up exactly; it starts full. */
function createBucket(perSecond: number, clock: Clock) {
  const burst = perSecond * BURST_SECONDS * 1_000;
  const bucket = { tokens: burst, capacity: burst, rate: perSecond };
  let filledAtMs = clock.now();
  let taughtAtMs = Number.NEGATIVE_INFINITY;

  function refill(): void {
    const nowMs = clock.now();
    // A clock that was set back adds no tokens and removes none
    const elapsedMs = Math.max(0, nowMs - filledAtMs);
    bucket.tokens = Math.min(bucket.capacity, bucket.tokens + elapsedMs * bucket.rate);
    bucket.rate = Math.min(perSecond, bucket.rate + (elapsedMs * perSecond) / LOWER.backInMs);
    filledAtMs = nowMs;
  }

  return Object.assign(bucket, {
    refill,
    spend(count: number): void {
      refill();
      bucket.tokens = Math.max(-burst, bucket.tokens - count * 1_000);
    },
    limited(): void {
      refill();
      const nowMs = clock.now();
      const saved = perSecond * REFUSED_BURST_SECONDS * 1_000;
      // What exits overdraw tells nothing
      if (bucket.tokens >= 0 && nowMs - taughtAtMs >= SAME_REFUSAL_MS) {
        if (bucket.capacity > saved) bucket.capacity = saved;
        else bucket.rate = Math.max(perSecond * LOWER.least, bucket.rate * LOWER.to);
        taughtAtMs = nowMs;
      }
      // The node has nothing left now, and nothing that it refused is owed to it
      bucket.tokens = 0;
    },
  });
}

/** Creates a budget that starts full. */
export function createRequestBudget(options: {
  readonly perSecond: number;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}): RequestBudget {
  const { perSecond, clock, sleep } = options;
  const bucket = createBucket(perSecond, clock);
  const pages = createBucket(perSecond * PAGES_SHARE, clock);
  const queues = new Map(CALL_CLASSES.map((name) => [name, [] as Waiting[]]));
  let inTurnUntilMs = 0;
  let isServing = false;

  const goInTurn = (): boolean =>
    clock.now() < inTurnUntilMs || (queues.get("exit")?.length ?? 0) > 0;

  /**
   * Returns the tokens required before a call is sent; a call larger than the bucket is sent when the bucket is full.
   */
  const needed = (callClass: CallClass, count: number): number =>
    Math.min(bucket.capacity, LEFT_ALONE[callClass] * bucket.capacity + count * 1_000);

  /**
   * Releases waiting calls, highest priority first, and returns the wait of the next one in milliseconds; null when
   * none waits.
   */
  function serveWaiting(): number | null {
    bucket.refill();
    const nowMs = clock.now();
    for (const queue of queues.values()) {
      for (const late of queue.filter(({ untilMs }) => untilMs <= nowMs)) late.giveUp();
      const patient = queue.filter(({ untilMs }) => untilMs > nowMs);
      queue.splice(0, queue.length, ...patient);
    }
    let waitMs: number | null = null;
    for (const [callClass, queue] of queues) {
      for (let [first] = queue; first !== undefined; [first] = queue) {
        const missing = needed(callClass, first.count) - bucket.tokens;
        // Calls of lower priority wait behind it
        if (missing > 0 && waitMs === null) waitMs = missing / bucket.rate;
        if (waitMs !== null) break;
        bucket.tokens -= first.count * 1_000;
        queue.shift();
        first.go();
      }
      for (const { untilMs } of queue) waitMs = Math.min(waitMs ?? untilMs, untilMs - nowMs);
    }
    return waitMs;
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    for (let waitMs = serveWaiting(); waitMs !== null; waitMs = serveWaiting()) {
      await sleep(Math.min(LOOK_MS, Math.max(1, Math.ceil(waitMs))));
    }
    isServing = false;
  }

  return {
    async take(callClass, count) {
      if (callClass === "exit" && !goInTurn()) return bucket.spend(count);
      await new Promise<void>((resolve, reject) => {
        queues.get(callClass)?.push({
          count,
          untilMs: clock.now() + PATIENCE_MS[callClass],
          go: resolve,
          giveUp: () => reject(new BudgetUsedUpError("The network's request budget is used up.")),
        });
        if (isServing) serveWaiting();
        else void serve();
      });
    },
    spent(count, by) {
      if (by === "signer") return bucket.spend(count);
      pages.refill();
      const believed = Math.min(count, Math.max(0, pages.tokens / 1_000));
      pages.spend(believed);
      bucket.spend(believed);
    },
    limited() {
      bucket.limited();
      inTurnUntilMs = clock.now() + IN_TURN_MS;
    },
  };
}
