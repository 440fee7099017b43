import {
  type Measures,
  ONE_TRY,
  type Tries,
  closedTrades,
  measuresOf,
  tradeReturn,
} from "./measures.ts";
import { type SampleSplit, splitRun } from "./out-of-sample.ts";
import type { Random } from "./random.ts";
import { type ReshuffleBands, reshuffle } from "./reshuffle.ts";
import { sentencesOf } from "./sentences.ts";
import type { SimulationResult } from "./simulation.ts";

/** A run with everything that says how far to believe it. */
export interface SimulationReport {
  readonly result: SimulationResult;
  readonly measures: Measures;
  /** Null of too few bars. */
  readonly split: SampleSplit | null;
  /** Null of too few trades. */
  readonly bands: ReshuffleBands | null;
  /** What a careful reader would say about it, the gravest first. */
  readonly sentences: readonly string[];
}

/** Returns a run's report; `tries` is how many variants were looked at before it. */
export function reportOf(
  result: SimulationResult,
  quoteDecimals: number,
  random: Random,
  tries: Tries = ONE_TRY,
): SimulationReport {
  const measures = measuresOf(result, quoteDecimals, tries);
  const split = splitRun(result, quoteDecimals, tries);
  const bands = reshuffle(closedTrades(result.trades).map(tradeReturn), random);
  const sentences = sentencesOf({ result, measures, split, bands, tries: tries.tries });
  return { result, measures, split, bands, sentences };
}
