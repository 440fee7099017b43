import { AppError } from "../../contract/errors.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";

/** Reads that run at a time, so that most of the database's connections are left to alerts and orders. */
const AT_ONCE = 4;

/** How long a read keeps its turn, in milliseconds. */
const TURN_MS = 2_000;

/** Reads that run or wait: of one caller, and of all. */
const OF_CALLER = 16;
const OF_ALL = 256;

/** Runs a big read of a caller in its turn; throws `rate_limited` when too many of the caller or of all wait. */
export type BigReads = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/** Creates the turns of calls that read much. */
export function createBigReads(limits = { ofCaller: OF_CALLER, ofAll: OF_ALL }): BigReads {
  const inTurn = createConcurrencyLimit(AT_ONCE, TURN_MS);
  const reading = new Map<string, number>();
  let all = 0;
  return async (caller, work) => {
    const own = reading.get(caller) ?? 0;
    if (own >= limits.ofCaller || all >= limits.ofAll) {
      throw new AppError("rate_limited", { retryAfterSeconds: 2 });
    }
    reading.set(caller, own + 1);
    all += 1;
    try {
      return await inTurn(work);
    } finally {
      all -= 1;
      const left = (reading.get(caller) ?? 0) - 1;
      if (left > 0) reading.set(caller, left);
      else reading.delete(caller);
    }
  };
}

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

/** Rejects with `ChainUnavailableError` when the work takes longer. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ChainUnavailableError("The signer's own reads took too long")),
      ms,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
