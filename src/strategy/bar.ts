/**
 * One closed bar. Figures are floating point: they are opinions about a market, never money.
 *
 * A bar is closed for good: what is handed to an evaluator is never replaced by another bar of the same time.
 */
export interface Bar {
  /** Unix milliseconds. */
  readonly openTimeMs: number;
  /** When the next bar opens, Unix milliseconds. */
  readonly closeTimeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}
