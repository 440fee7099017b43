import { limitPerMinute, type RateLimit } from "../rate-limit.ts";

const MINUTE_MS = 60_000;

/** Firings remembered, over all senders; beyond that the oldest count as new again. */
const MAX_REMEMBERED = 100_000;

export interface AlertRateLimits {
  /** Different firings of one sender a minute. */
  readonly alertsPerMinute: number;
  /** Deliveries of one sender a minute, repeats of a firing included. */
  readonly deliveriesPerMinute: number;
}

/**
 * Limits how many alerts are taken from a sender, which is whoever holds one token of one agent. A sender that repeats a firing until it is answered uses up nothing.
 *
 * Throws `rate_limited`. Counted in this process.
 */
export function createAlertRate(
  limits: AlertRateLimits,
): (sender: string, dedupKey: string, nowMs: number) => Promise<void> {
  const limitDeliveries: RateLimit = limitPerMinute(limits.deliveriesPerMinute);
  const limitAlerts: RateLimit = limitPerMinute(limits.alertsPerMinute);
  const seenUntil = new Map<string, number>();
  return async (sender, dedupKey, nowMs) => {
    await limitDeliveries(sender);
    const firing = `${sender} ${dedupKey}`;
    if ((seenUntil.get(firing) ?? 0) > nowMs) return;
    await limitAlerts(sender);
    seenUntil.set(firing, nowMs + MINUTE_MS);
    for (const [oldest, until] of seenUntil) {
      if (until > nowMs && seenUntil.size <= MAX_REMEMBERED) break;
      seenUntil.delete(oldest);
    }
  };
}
