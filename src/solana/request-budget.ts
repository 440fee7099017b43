import type { Clock } from "../domain/clock.ts";
import { ChainUnavailableError } from "./chain.ts";

/**
 * What a call is for, in falling rank. `exit` closes positions and asks what became of anything that was sent; `entry`
 * opens; `owner` is what owners sign; `reconcile` holds records against the chain; `screen` is figures people look at.
 */
export const CALL_CLASSES = ["exit", "entry", "owner", "reconcile", "screen"] as const;

export type CallClass = (typeof CALL_CLASSES)[number];

/** How many requests a network's nodes are asked, shared out by rank. */
export interface RequestBudget {
  /**
   * Resolves when so many requests of a class may go. An exit never waits, even into debt that the others then wait for.
   *
   * Throws `ChainUnavailableError` when the class's patience ends first.
   */
  take(callClass: CallClass, count: number): Promise<void>;
}

/** Seconds of requests that may go at once after a quiet time. */
export const BURST_SECONDS = 4;

/** Share of a full bucket a class leaves to those above it; an exit leaves nothing. */
const LEFT_ALONE: Readonly<Record<Exclude<CallClass, "exit">, number>> = {
  entry: 0.1,
  owner: 0.2,
  reconcile: 0.4,
  screen: 0.5,
};

/** How long a call waits for its turn before it counts as unanswered. */
const PATIENCE_MS: Readonly<Record<Exclude<CallClass, "exit">, number>> = {
  entry: 10_000,
  owner: 5_000,
  reconcile: 20_000,
  screen: 1_000,
};

/** Longest pause between two looks at who may go: somebody of higher rank may have come meanwhile. */
const LOOK_MS = 50;

interface Waiting {
  readonly count: number;
  readonly untilMs: number;
  readonly go: () => void;
  readonly giveUp: () => void;
}

/** Makes a budget that starts full. */
export function createRequestBudget(options: {
  readonly perSecond: number;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}): RequestBudget {
  const { perSecond, clock, sleep } = options;
  // In thousandths, so that milliseconds add up exactly
  const capacity = perSecond * BURST_SECONDS * 1_000;
  const queues = new Map(
    CALL_CLASSES.flatMap((name) => (name === "exit" ? [] : [[name, [] as Waiting[]] as const])),
  );
  let tokens = capacity;
  let filledAtMs = clock.now();
  let isServing = false;

  function refill(): void {
    const nowMs = clock.now();
    // A clock that was set back gives nothing and takes nothing
    const elapsedMs = Math.max(0, nowMs - filledAtMs);
    tokens = Math.min(capacity, tokens + elapsedMs * perSecond);
    filledAtMs = nowMs;
  }

  /** Tokens that have to be there before a call goes; a call larger than the bucket goes when it is full. */
  const needed = (callClass: Exclude<CallClass, "exit">, count: number): number =>
    Math.min(capacity, LEFT_ALONE[callClass] * capacity + count * 1_000);

  /** Lets go whoever may go, highest rank first, and returns how long the next one has to wait; null when nobody waits. */
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
        // Whoever ranks below waits behind it
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
          giveUp: () =>
            reject(new ChainUnavailableError("The network's request budget is used up.")),
        });
        if (isServing) serveWaiting();
        else void serve();
      });
    },
  };
}
