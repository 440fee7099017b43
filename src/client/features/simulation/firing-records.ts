import type { Bar } from "../../../strategy/bar.ts";
import type { RecordedFiring } from "../../../strategy/simulation.ts";
import type { ImportedFile } from "../../workers/tradingview-file.ts";

const DAY_MS = 86_400_000;

/** Simulated time after the last firing in milliseconds, so that its position's result shows. */
const AFTERMATH_MS = 7 * DAY_MS;

/** Alert name per event kind; null ignores the kind. */
export type EventMapping = readonly (string | null)[];

/** Converts a file's events to firings. */
export const importedFirings = (file: ImportedFile, mapping: EventMapping): RecordedFiring[] =>
  file.events.flatMap(({ label, atMs }) => {
    const alertKey = mapping[label];
    return alertKey == null ? [] : [{ alertKey, atMs }];
  });

/** Returns the number of days and the end time that cover the firings. */
export function spanOf(firings: readonly RecordedFiring[], nowMs: number) {
  const first = firings[0]?.atMs ?? nowMs;
  const endMs = Math.min(nowMs, (firings.at(-1)?.atMs ?? nowMs) + AFTERMATH_MS);
  return { days: Math.max(1, Math.ceil((endMs - first) / DAY_MS) + 1), nowMs: endMs };
}

/**
 * Returns the share of a file's prices that lie within the bars of their time, or null where none can be compared. Few
 * mean another market, or a wrong time zone.
 */
export function priceAgreement(
  events: readonly { readonly atMs: number; readonly price: number | null }[],
  bars: readonly Pick<Bar, "openTimeMs" | "closeTimeMs" | "high" | "low">[],
): number | null {
  let at = 0;
  let compared = 0;
  let agreeing = 0;
  for (const { atMs, price } of events) {
    if (price === null) continue;
    while (at < bars.length && (bars[at]?.closeTimeMs ?? 0) <= atMs) at += 1;
    const bar = bars[at];
    if (bar === undefined || bar.openTimeMs > atMs) continue;
    compared += 1;
    // Tolerance for price differences between exchanges
    if (price >= bar.low * 0.998 && price <= bar.high * 1.002) agreeing += 1;
  }
  return compared === 0 ? null : agreeing / compared;
}
