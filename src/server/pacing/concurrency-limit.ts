/** Runs a piece of work when its turn has come, and returns its result. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs each piece of work at once. */
export const withoutLimit: ConcurrencyLimit = (work) => work();

/**
 * Lets `atOnce` pieces of work run at a time, in the order they came, so that many of them leave the processor and the
 * database's connections to what is urgent.
 *
 * A piece that takes longer than `turnMs` waits for something else and keeps nobody: the next one begins.
 */
export function createConcurrencyLimit(atOnce: number, turnMs: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = atOnce;

  function pass(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      pass();
    };
    const timer = setTimeout(end, turnMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  };
}
