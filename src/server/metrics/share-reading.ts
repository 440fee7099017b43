import type { Clock } from "../../domain/clock.ts";

/** Lifetime of a shared reading in milliseconds. */
const KEPT_MS = 5_000;

/**
 * Returns a reading shared by all gauges of one scrape; null while the database is unavailable.
 *
 * Gauges are collected concurrently: a gauge set by another one would show the figures of the previous scrape.
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
