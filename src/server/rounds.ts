/** Work that a process repeats in the background, one round at a time. */
export interface Rounds {
  /** Starts the first round after one pause. Called once. */
  start(): void;
  /** Starts no further round and resolves when the one under way has ended. */
  stop(): Promise<void>;
  /** Returns true once `stop` was called; a long round checks it between its parts. */
  isStopped(): boolean;
}

interface RoundsOptions {
  readonly round: () => Promise<unknown>;
  /** Pause between the end of a round and the start of the next, in milliseconds. */
  readonly pauseMs: number;
  /** Pause after a failed round in milliseconds, when different. */
  readonly pauseAfterFailureMs?: number;
  /** Called when a round failed; the next one starts regardless. */
  readonly onFailure: (error: unknown) => void;
}

/** Repeats a round with a pause in between; the timer does not keep the process alive. */
export function createRounds(options: RoundsOptions): Rounds {
  const { round, pauseMs, pauseAfterFailureMs = pauseMs, onFailure } = options;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function runOnce(): Promise<number> {
    try {
      await round();
      return pauseMs;
    } catch (error) {
      onFailure(error);
      return pauseAfterFailureMs;
    }
  }

  function startAfter(ms: number): void {
    timer = setTimeout(() => {
      running = runOnce().then((nextMs) => {
        if (!isStopped) startAfter(nextMs);
      });
    }, ms).unref();
  }

  return {
    start: () => startAfter(pauseMs),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
    isStopped: () => isStopped,
  };
}
