import type { Bar } from "../../strategy/bar.ts";
import type { Contradiction } from "./candle-history.ts";

/**
 * Maximum relative difference between two exchanges' closes of one bar, even in volatile markets; beyond it one of them
 * is wrong.
 */
const MAX_APART = 0.03;

/** Bars of one market from a named source. */
export interface NamedBars {
  readonly source: string;
  readonly bars: readonly Bar[];
}

export const utcText = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Returns the bars for which two sources have different prices. */
export function compareBars(one: NamedBars, other: NamedBars): readonly Contradiction[] {
  const closes = new Map(other.bars.map((bar) => [bar.closeTimeMs, bar.close]));
  return one.bars.flatMap(({ closeTimeMs, close }) => {
    const otherClose = closes.get(closeTimeMs);
    if (otherClose === undefined) return [];
    const apart = Math.abs(close - otherClose) / Math.min(close, otherClose);
    if (apart <= MAX_APART) return [];
    const text = `The candle that closed at ${utcText(closeTimeMs)} ended at ${close} on ${one.source} and at ${otherClose} on ${other.source}.`;
    return [{ closedAtMs: closeTimeMs, text }];
  });
}
