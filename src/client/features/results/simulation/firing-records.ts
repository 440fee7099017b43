import { barSpanAt, type Bar } from "../../../../strategy/bar-times.ts";
import { PRICE_TOLERANCE } from "../../../../strategy/firing-source.ts";
import type { RecordedFiring } from "../../../../strategy/simulation.ts";
import type { ImportedFile } from "../../../workers/tradingview-file.ts";

const DAY_MS = 86_400_000;

/** Simulated time after the last firing in milliseconds, so that its position's result shows. */
const AFTERMATH_MS = 7 * DAY_MS;

/** Alert name per event kind; null ignores the kind. */
export type EventMapping = readonly (string | null)[];

/** Converts a file's events to firings; those with a price are orders. */
export const importedFirings = (file: ImportedFile, mapping: EventMapping): RecordedFiring[] =>
  file.events.flatMap(({ label, atMs, price }) => {
    const alertKey = mapping[label];
    if (alertKey == null) return [];
    return [price === null ? { alertKey, atMs } : { alertKey, atMs, price }];
  });

/** Returns the number of days and the end time that cover the firings. */
export function spanOf(firings: readonly RecordedFiring[], nowMs: number) {
  const first = firings[0]?.atMs ?? nowMs;
  const endMs = Math.min(nowMs, (firings.at(-1)?.atMs ?? nowMs) + AFTERMATH_MS);
  return { days: Math.max(1, Math.ceil((endMs - first) / DAY_MS) + 1), nowMs: endMs };
}

/**
 * Returns the share of a file's prices that lie within the agent's bars of their time, or null where none can be
 * compared. Few mean another market, or a wrong time zone. `bars` may be shorter than the agent's.
 */
export function priceAgreement(
  events: readonly { readonly atMs: number; readonly price: number | null }[],
  bars: readonly Pick<Bar, "openTimeMs" | "closeTimeMs" | "high" | "low">[],
  intervalMinutes: number,
): number | null {
  let at = 0;
  let compared = 0;
  let agreeing = 0;
  for (const { atMs, price } of events) {
    if (price === null) continue;
    const { openTimeMs, closeTimeMs } = barSpanAt(intervalMinutes, atMs);
    while (at < bars.length && (bars[at]?.closeTimeMs ?? 0) <= openTimeMs) at += 1;
    let [low, high] = [Number.POSITIVE_INFINITY, 0];
    for (let of = at; (bars[of]?.openTimeMs ?? closeTimeMs) < closeTimeMs; of += 1) {
      low = Math.min(low, bars[of]?.low ?? low);
      high = Math.max(high, bars[of]?.high ?? high);
    }
    if (high === 0) continue;
    compared += 1;
    if (price >= low * (1 - PRICE_TOLERANCE) && price <= high * (1 + PRICE_TOLERANCE)) {
      agreeing += 1;
    }
  }
  return compared === 0 ? null : agreeing / compared;
}
