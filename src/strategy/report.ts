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

/** A run with the statistics that tell how reliable it is. */
export interface SimulationReport {
  readonly result: SimulationResult;
  readonly measures: Measures;
  /** Null when there are too few bars. */
  readonly split: SampleSplit | null;
  /** Null when there are too few trades. */
  readonly bands: ReshuffleBands | null;
  /** Cautions about the result, the most serious first. */
  readonly sentences: readonly string[];
}

/** Returns a run's report; `tries` is the number of variants examined before it. */
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
