import type { CandleFigures } from "../domain/candle-interval.ts";

/**
 * One closed bar. Its figures are floating point because they are only analysed, never used as amounts of money.
 *
 * A closed bar is final: an evaluator never receives another bar for the same time.
 */
export interface Bar extends CandleFigures {
  /** Unix milliseconds. */
  readonly openTimeMs: number;
  /** Open time of the next bar, Unix milliseconds. */
  readonly closeTimeMs: number;
  /**
   * Bars of other assets by their symbol, each the one that closed when this bar opened: what was known then, even where
   * another source is late. Absent where no condition reads one.
   */
  readonly beside?: Readonly<Record<string, Bar>> | undefined;
}
