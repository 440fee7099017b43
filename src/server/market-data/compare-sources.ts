import type { Bar } from "../../strategy/bar.ts";
import type { Contradiction } from "./candle-history.ts";

/** Two exchanges' closes of one bar differ by less than this even in a rush; beyond it one of them is wrong. */
const MAX_APART = 0.03;

/** Bars of one market from a named source. */
export interface NamedBars {
  readonly source: string;
  readonly bars: readonly Bar[];
}

export const utcText = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Returns the bars of which two sources tell different prices. */
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
