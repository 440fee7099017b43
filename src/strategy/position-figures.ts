import type { PositionFigure } from "../domain/condition/indicator-table.ts";
import type { Bar } from "./bar.ts";
import { barNumberAt } from "./bar-times.ts";
import type { PositionFacts } from "./firing.ts";

/**
 * Tracks the open position from bar to bar.
 *
 * It needs the position with every bar since the entry, also during replay: the best price is computed from these bars,
 * and from `bestCloseBefore` for bars before the first one received.
 */
export class PositionFigures {
  barsSinceEntry = Number.NaN;
  profitPercent = Number.NaN;
  dropFromBestPercent = Number.NaN;
  private readonly intervalMinutes: number;
  private enteredAtMs = Number.NaN;
  private side: PositionFacts["side"] = "long";
  /** Best close since the entry. */
  private bestClose = Number.NaN;

  constructor(intervalMinutes: number) {
    this.intervalMinutes = intervalMinutes;
  }

  /** Returns true when the position is not the position of the bar before. */
  next(bar: Bar, position: PositionFacts | null): boolean {
    if (position === null || bar.closeTimeMs < position.enteredAtMs) return this.clear();
    const { side, entryPrice, enteredAtMs, bestCloseBefore = bar.close } = position;
    const isNew = enteredAtMs !== this.enteredAtMs || side !== this.side;
    this.enteredAtMs = enteredAtMs;
    this.side = side;
    const direction = side === "long" ? 1 : -1;
    const better = side === "long" ? Math.max : Math.min;
    this.bestClose = better(isNew ? bestCloseBefore : this.bestClose, bar.close);
    // The entry price changes when the position grows, so it is not part of the stored best price
    const best = better(this.bestClose, entryPrice);
    this.barsSinceEntry = this.barsUntil(bar.openTimeMs);
    this.profitPercent = (direction * 100 * (bar.close - entryPrice)) / entryPrice;
    this.dropFromBestPercent = (direction * 100 * (best - bar.close)) / best;
    return isNew;
  }

  figure(name: PositionFigure): number {
    switch (name) {
      case "bars-since-entry":
        return this.barsSinceEntry;
      case "profit-percent":
        return this.profitPercent;
      case "drop-from-best-percent":
        return this.dropFromBestPercent;
    }
  }

  private barsUntil(openTimeMs: number): number {
    // The millisecond before a close lies within the bar that closes then
    const entered = barNumberAt(this.intervalMinutes, this.enteredAtMs - 1);
    return barNumberAt(this.intervalMinutes, openTimeMs) - entered;
  }

  private clear(): boolean {
    const had = !Number.isNaN(this.enteredAtMs);
    this.barsSinceEntry = Number.NaN;
    this.profitPercent = Number.NaN;
    this.dropFromBestPercent = Number.NaN;
    this.enteredAtMs = Number.NaN;
    return had;
  }
}
