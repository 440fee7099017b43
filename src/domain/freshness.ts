/** Furthest an alert's time may lie ahead of ours. */
export const MAX_SIGNAL_LEAD_MS = 60_000;

/** Oldest alert any agent accepts, in seconds; an agent may lower it. */
export const MAX_SIGNAL_AGE_SECONDS = 300;

/** Says whether an alert fired recently enough, both edges included. */
export function isSignalFresh(firedAtMs: number, nowMs: number, maxAgeSeconds: number): boolean {
  const ageMs = nowMs - firedAtMs;
  const maxAgeMs = Math.min(maxAgeSeconds, MAX_SIGNAL_AGE_SECONDS) * 1_000;
  return ageMs <= maxAgeMs && ageMs >= -MAX_SIGNAL_LEAD_MS;
}
