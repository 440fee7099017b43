import { limitPerMinute, type RateLimit } from "../rate-limit.ts";

const MINUTE_MS = 60_000;

/** Maximum number of remembered firings over all senders; beyond it the oldest count as new again. */
const MAX_REMEMBERED = 100_000;

export interface AlertRateLimits {
  /** Distinct firings per sender and minute. */
  readonly alertsPerMinute: number;
  /** Deliveries per sender and minute, including duplicates. */
  readonly deliveriesPerMinute: number;
}

/**
 * Limits the rate of alerts per sender, which is one token of one agent. Retries of the same firing do not count
 * towards the firing limit.
 *
 * Throws `rate_limited`. Counts are per process.
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
