import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "../contract/errors.ts";

/** Resolves when the key is within its limit, or throws `rate_limited` with the seconds to wait. */
export type RateLimit = (key: string) => Promise<void>;

/** Creates a limit of calls per key and minute, counted in this process. */
export function limitPerMinute(calls: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: calls, duration: 60 });
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new AppError("rate_limited", { retryAfterSeconds });
    }
  };
}
