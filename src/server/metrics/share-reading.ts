import type { Clock } from "../../domain/clock.ts";

/** Scrapes within this time of each other share one reading. */
const KEPT_MS = 5_000;

/**
 * Returns a reading that all gauges of one scrape share, null while the database is away.
 *
 * Gauges are collected side by side: one that another one sets would show the figures of the scrape before.
 */
export function shareReading<T>(
  clock: Clock,
  read: (nowMs: number) => Promise<T>,
): () => Promise<T | null> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<T | null> = Promise.resolve(null);
  return () => {
    const nowMs = clock.now();
    if (nowMs - readAtMs >= KEPT_MS) {
      readAtMs = nowMs;
      reading = read(nowMs).catch(() => null);
    }
    return reading;
  };
}
