import { AppError } from "../../contract/errors.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

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
