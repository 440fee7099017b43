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

/** Half of the time for which repeats of an alert are recognised: none that is older can be taken twice. */
const MAX_CLOSING_SHIFT_MS = 14 * 86_400_000;

/**
 * Returns whether an alert may still close. Its time is not held against the clock, which may be the one that is wrong: a
 * sender does not repeat an exit that was refused.
 */
export const mayStillClose = (firedAtMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - firedAtMs) <= MAX_CLOSING_SHIFT_MS;
