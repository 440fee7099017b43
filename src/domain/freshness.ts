/** Furthest an alert's time may lie in the future, milliseconds. */
export const MAX_SIGNAL_LEAD_MS = 60_000;

/** Greatest age of an alert that any agent accepts, in seconds; an agent may lower it. */
export const MAX_SIGNAL_AGE_SECONDS = 300;

/** Returns whether an alert fired recently enough, both bounds inclusive. */
export function isSignalFresh(firedAtMs: number, nowMs: number, maxAgeSeconds: number): boolean {
  const ageMs = nowMs - firedAtMs;
  const maxAgeMs = Math.min(maxAgeSeconds, MAX_SIGNAL_AGE_SECONDS) * 1_000;
  return ageMs <= maxAgeMs && ageMs >= -MAX_SIGNAL_LEAD_MS;
}
