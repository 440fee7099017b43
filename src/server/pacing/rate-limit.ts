import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "../../contract/errors.ts";

/** Resolves when the key is within its limit, or throws `rate_limited` with the seconds to wait; a call counts once unless told. */
export type RateLimit = (key: string, times?: number) => Promise<void>;

/** Runs the work of a key; throws `rate_limited` with the seconds to wait when it failed too often recently. */
export type FailureLimit = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates a limit of failed pieces of work per key and minute. Work that is going on counts as failed until it ends. */
export function limitFailuresPerMinute(failures: number): FailureLimit {
  const limiter = new RateLimiterMemory({ points: failures, duration: 60 });
  return async (key, work) => {
    await consume(limiter, key);
    const done = await work();
    await limiter.reward(key);
    return done;
  };
}

/** Creates a limit of calls per key and minute, counted in this process. */
export const limitPerMinute = (calls: number): RateLimit => limitPer(60, calls);

/** Creates a limit of calls per key and 24 hours, counted in this process. */
export const limitPerDay = (calls: number): RateLimit => limitPer(24 * 3_600, calls);

function limitPer(seconds: number, calls: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: calls, duration: seconds });
  return (key, times) => consume(limiter, key, times);
}

async function consume(limiter: RateLimiterMemory, key: string, times = 1): Promise<void> {
  try {
    await limiter.consume(key, times);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new AppError("rate_limited", { retryAfterSeconds });
  }
}
