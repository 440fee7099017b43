import { type Measures, ONE_TRY, type Tries, afterTries, measuresOf } from "./measures.ts";
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
  /** Null without a closed trade or when there are too few days. */
  readonly bands: ReshuffleBands | null;
  /** Cautions about the result, the most serious first. */
  readonly sentences: readonly string[];
}

/** Returns a run's report, judged as a single try. */
export function reportOf(
  result: SimulationResult,
  quoteDecimals: number,
  random: Random,
): SimulationReport {
  const measures = measuresOf(result, quoteDecimals);
  const split = splitRun(result, quoteDecimals);
  const start = Number(result.startMoney) / 10 ** quoteDecimals;
  const course = { start, times: result.times, worths: result.equity };
  const bands = measures.closedTrades === 0 ? null : reshuffle(course, random);
  const sentences = sentencesOf({ result, measures, split, bands, tried: ONE_TRY });
  return { result, measures, split, bands, sentences };
}

/** Returns a report judged as one of several tries; null where their number is unknown. */
export function reportAfter<Report extends SimulationReport>(
  report: Report,
  tried: Tries | null,
): Report {
  const measures = afterTries(report.measures, tried);
  return { ...report, measures, sentences: sentencesOf({ ...report, measures, tried }) };
}
