import { AppError } from "../../contract/errors.ts";

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
): (sender: string, dedupKey: string, nowMs: number) => void {
  const limitDeliveries = createMinutes(limits.deliveriesPerMinute);
  const limitAlerts = createMinutes(limits.alertsPerMinute);
  const seenUntil = new Map<string, number>();
  return (sender, dedupKey, nowMs) => {
    limitDeliveries(sender, nowMs);
    const firing = `${sender} ${dedupKey}`;
    if ((seenUntil.get(firing) ?? 0) > nowMs) return;
    limitAlerts(sender, nowMs);
    seenUntil.set(firing, nowMs + MINUTE_MS);
    for (const [oldest, until] of seenUntil) {
      if (until > nowMs && seenUntil.size <= MAX_REMEMBERED) break;
      seenUntil.delete(oldest);
    }
  };
}

interface Minute {
  readonly endsAtMs: number;
  count: number;
}

/**
 * Counts what each sender does within minutes that begin with its first act. Without a timer and a promise per sender,
 * unlike the limits of other calls: every alert is counted twice.
 */
function createMinutes(limit: number): (sender: string, nowMs: number) => void {
  // All last equally long, so the first entries end first
  const minutes = new Map<string, Minute>();
  const begin = (sender: string, nowMs: number): Minute => {
    const minute = { endsAtMs: nowMs + MINUTE_MS, count: 0 };
    minutes.delete(sender);
    minutes.set(sender, minute);
    for (const [oldest, { endsAtMs }] of minutes) {
      if (endsAtMs > nowMs) break;
      minutes.delete(oldest);
    }
    return minute;
  };
  return (sender, nowMs) => {
    const known = minutes.get(sender);
    const leftMs = (known?.endsAtMs ?? 0) - nowMs;
    // A clock that was set back begins a new minute
    const isOn = leftMs > 0 && leftMs <= MINUTE_MS;
    const minute = known !== undefined && isOn ? known : begin(sender, nowMs);
    minute.count += 1;
    if (minute.count <= limit) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((minute.endsAtMs - nowMs) / 1_000));
    throw new AppError("rate_limited", { retryAfterSeconds });
  };
}
