import type { Clock } from "../domain/clock.ts";
import { ChainUnavailableError } from "./chain.ts";

/**
 * Purpose of a call, in falling priority. `exit` closes positions and follows what closes them; `entry` opens positions and
 * follows what opens them; `owner` is for the owner's transactions; `reconcile` compares records with the chain; `screen` is for
 * displayed figures.
 */
export const CALL_CLASSES = ["exit", "entry", "owner", "reconcile", "screen"] as const;

export type CallClass = (typeof CALL_CLASSES)[number];

/** The budget had no request left for as long as a call may wait: no node was asked, and none would be sooner. */
export class BudgetUsedUpError extends ChainUnavailableError {}

/** Rate limit on requests to a network's nodes, shared out by priority. */
export interface RequestBudget {
  /**
   * Resolves when `count` requests of a class may be sent. An exit never waits; it may overdraw the budget, and the
   * other classes wait longer.
   *
   * Throws `BudgetUsedUpError` when the class's maximum wait is over first.
   */
  take(callClass: CallClass, count: number): Promise<void>;
  /** Hears that a node refused a request because of its rate: what was saved up is gone, and all but exits waits. */
  limited(): void;
}

/** Burst size after an idle time, as seconds of requests. */
export const BURST_SECONDS = 4;

/** Share of a full bucket that a class leaves for higher classes; an exit leaves nothing. */
const LEFT_ALONE: Readonly<Record<Exclude<CallClass, "exit">, number>> = {
  entry: 0.1,
  owner: 0.2,
  reconcile: 0.4,
  screen: 0.5,
};

/** Longest wait of a call before it counts as unanswered, milliseconds. */
const PATIENCE_MS: Readonly<Record<Exclude<CallClass, "exit">, number>> = {
  entry: 10_000,
  owner: 5_000,
  reconcile: 20_000,
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

/** Creates a budget that starts full. */
export function createRequestBudget(options: {
  readonly perSecond: number;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}): RequestBudget {
  const { perSecond, clock, sleep } = options;
  // In thousandths of a request, so that milliseconds add up exactly
  const capacity = perSecond * BURST_SECONDS * 1_000;
  const queues = new Map(
    CALL_CLASSES.flatMap((name) => (name === "exit" ? [] : [[name, [] as Waiting[]] as const])),
  );
  let tokens = capacity;
  let filledAtMs = clock.now();
  let isServing = false;

  function refill(): void {
    const nowMs = clock.now();
    // A clock that was set back adds no tokens and removes none
    const elapsedMs = Math.max(0, nowMs - filledAtMs);
    tokens = Math.min(capacity, tokens + elapsedMs * perSecond);
    filledAtMs = nowMs;
  }

  /**
   * Returns the tokens required before a call is sent; a call larger than the bucket is sent when the bucket is full.
   */
  const needed = (callClass: Exclude<CallClass, "exit">, count: number): number =>
    Math.min(capacity, LEFT_ALONE[callClass] * capacity + count * 1_000);

  /**
   * Releases waiting calls, highest priority first, and returns the wait of the next one in milliseconds; null when
   * none waits.
   */
  function serveWaiting(): number | null {
    refill();
    const nowMs = clock.now();
    for (const queue of queues.values()) {
      for (const late of queue.filter(({ untilMs }) => untilMs <= nowMs)) late.giveUp();
      const patient = queue.filter(({ untilMs }) => untilMs > nowMs);
      queue.splice(0, queue.length, ...patient);
    }
    let waitMs: number | null = null;
    for (const [callClass, queue] of queues) {
      for (let [first] = queue; first !== undefined; [first] = queue) {
        const missing = needed(callClass, first.count) - tokens;
        // Calls of lower priority wait behind it
        if (missing > 0 && waitMs === null) waitMs = missing / perSecond;
        if (waitMs !== null) break;
        tokens -= first.count * 1_000;
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
      if (callClass === "exit") {
        refill();
        tokens = Math.max(-capacity, tokens - count * 1_000);
        return;
      }
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
    limited() {
      refill();
      tokens = Math.min(0, tokens);
    },
  };
}
