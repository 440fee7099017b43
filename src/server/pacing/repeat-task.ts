/** Work that a process repeats in the background, one run at a time. */
export interface RepeatedTask {
  /** Starts the first run after one pause. Called once. */
  start(): void;
  /** Starts the next run at once, or right after the one under way; does nothing before `start` and after `stop`. */
  wake(): void;
  /** Starts no further run and resolves when the one under way has ended. */
  stop(): Promise<void>;
  /** Returns true once `stop` was called; a long run checks it between its parts. */
  isStopped(): boolean;
}

interface RepeatOptions {
  readonly task: () => Promise<unknown>;
  /** Pause between the end of a run and the start of the next, in milliseconds. */
  readonly pauseMs: number;
  /** Pause after a failed run in milliseconds, when different. */
  readonly pauseAfterFailureMs?: number;
  /** Called when a run failed; the next one starts regardless. */
  readonly onFailure: (error: unknown) => void;
}

/** Repeats a task with a pause in between; the timer does not keep the process alive. */
export function repeatTask(options: RepeatOptions): RepeatedTask {
  const { task, pauseMs, pauseAfterFailureMs = pauseMs, onFailure } = options;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let isRunning = false;
  let isWoken = false;

  async function runOnce(): Promise<number> {
    try {
      await task();
      return pauseMs;
    } catch (error) {
      onFailure(error);
      return pauseAfterFailureMs;
    }
  }

  function startAfter(ms: number): void {
    timer = setTimeout(() => {
      isRunning = true;
      isWoken = false;
      running = runOnce().then((nextMs) => {
        isRunning = false;
        if (!isStopped) startAfter(isWoken ? 0 : nextMs);
      });
    }, ms).unref();
  }

  return {
    start: () => startAfter(pauseMs),
    wake() {
      if (timer === undefined || isStopped) return;
      isWoken = true;
      if (isRunning) return;
      clearTimeout(timer);
      startAfter(0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
    isStopped: () => isStopped,
  };
}

/**
 * Repeats a task for each of some places, the first time at once; one that hangs does not delay the others.
 *
 * The places are asked for at the start. A long run checks `isStopped` between its parts.
 */
export function repeatEach<Place>(
  places: () => Iterable<Place>,
  task: (place: Place, isStopped: () => boolean) => Promise<unknown>,
  options: Omit<RepeatOptions, "task">,
): Pick<RepeatedTask, "start" | "stop"> {
  let repeated: readonly RepeatedTask[] = [];
  return {
    start() {
      repeated = Array.from(places(), (place) => {
        const each = repeatTask({ ...options, task: () => task(place, each.isStopped) });
        return each;
      });
      for (const each of repeated) {
        each.start();
        each.wake();
      }
    },
    stop: async () => void (await Promise.all(repeated.map((each) => each.stop()))),
  };
}
