import type { PositionFigure } from "../domain/condition/indicator-table.ts";
import type { Bar } from "./bar.ts";
import { barNumberAt } from "./bar-times.ts";
import type { PositionFacts } from "./firing.ts";

/**
 * Follows the open position from bar to bar.
 *
 * Hand it the position with every bar since the entry, also when bars are replayed: the best price is counted from them.
 */
export class PositionFigures {
  barsSinceEntry = Number.NaN;
  profitPercent = Number.NaN;
  dropFromBestPercent = Number.NaN;
  private readonly intervalMinutes: number;
  private enteredAtMs = Number.NaN;
  private entryPrice = Number.NaN;
  private best = Number.NaN;

  constructor(intervalMinutes: number) {
    this.intervalMinutes = intervalMinutes;
  }

  /** Returns true when the position is not the one of the bar before. */
  next(bar: Bar, position: PositionFacts | null): boolean {
    if (position === null || bar.closeTimeMs < position.enteredAtMs) return this.clear();
    const { side, entryPrice, enteredAtMs } = position;
    const isNew = enteredAtMs !== this.enteredAtMs || entryPrice !== this.entryPrice;
    if (isNew) this.best = entryPrice;
    this.enteredAtMs = enteredAtMs;
    this.entryPrice = entryPrice;
    const direction = side === "long" ? 1 : -1;
    if ((bar.close - this.best) * direction > 0) this.best = bar.close;
    this.barsSinceEntry = this.barsUntil(bar.openTimeMs);
    this.profitPercent = (direction * 100 * (bar.close - entryPrice)) / entryPrice;
    this.dropFromBestPercent = (direction * 100 * (this.best - bar.close)) / this.best;
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
    // The millisecond before a close lies in the bar that closes then
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
