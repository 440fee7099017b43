import {
  type Measures,
  ONE_TRY,
  type Tries,
  afterTries,
  measuresOf,
  type Period,
  periodsOf,
} from "./measures.ts";
import { type SampleSplit, splitRun } from "./out-of-sample.ts";
import {
  minTrackRecord,
  type RandomEntries,
  randomEntries,
  sharpeInterval,
} from "./overfitting.ts";
import { reasonWhat } from "../domain/reasons.ts";
import type { Random } from "./random.ts";
import type { SimulationResult, SimulationInput } from "./simulation.ts";
import type { Bar } from "./bar-times.ts";
import { type FiringSource, firingSourceOf } from "./firing-source.ts";
import { returnOver } from "../domain/measures/growth.ts";
import { simulate } from "./simulate.ts";

/** Fewest trades for a statistical statement; a common rule of thumb. */
const ENOUGH_TRADES = 30;

/** Shorter histories show only one market regime, in days. */
const ENOUGH_DAYS = 180;

/** Share of the gains in the three best trades above which the result depends on them. */
const MUCH_IN_THREE = 0.5;

/** Probability above which a result counts as more than luck. */
const CONFIDENT = 0.95;

/** How a run compares with chance. Ratios are annualised as the run's own Sharpe ratio is. */
export interface Chance {
  /** 95 % confidence interval of the Sharpe ratio; null where it is undefined. */
  readonly sharpe: { readonly low: number; readonly high: number } | null;
  /** Days after which the Sharpe ratio would be above zero with 95 % confidence; null where it is not above zero. */
  readonly daysNeeded: number | null;
  /** Null without a closed trade. */
  readonly random: RandomEntries | null;
}

/** A run with the statistics that tell how reliable it is. */
export interface SimulationReport {
  readonly result: SimulationResult;
  readonly measures: Measures;
  /** Null when there are too few bars. */
  readonly split: SampleSplit | null;
  /** Null without a closed trade or when there are too few days. */
  readonly bands: ReshuffleBands | null;
  readonly chance: Chance;
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
  const chance = chanceOf(result, measures, random);
  const sentences = sentencesOf({ result, measures, split, bands, chance, tried: ONE_TRY });
  return { result, measures, split, bands, chance, sentences };
}

function chanceOf(result: SimulationResult, measures: Measures, random: Random): Chance {
  const { sample, sharpe, days } = measures;
  const entries = randomEntries(result, random);
  if (sample === null || sharpe === null)
    return { sharpe: null, daysNeeded: null, random: entries };
  const interval = sharpeInterval(sample);
  const annual = sample.sharpe === 0 ? 0 : sharpe / sample.sharpe;
  const needed = minTrackRecord(sample);
  return {
    sharpe: interval && { low: interval.low * annual, high: interval.high * annual },
    daysNeeded: needed === null ? null : Math.ceil((needed * days) / sample.periods),
    random: entries,
  };
}

/** Returns a report judged as one of several tries; null where their number is unknown. */
export function reportAfter<Report extends SimulationReport>(
  report: Report,
  tried: Tries | null,
): Report {
  const measures = afterTries(report.measures, tried);
  return { ...report, measures, sentences: sentencesOf({ ...report, measures, tried }) };
}

/** Inputs of the cautions. */
interface Judged {
  readonly result: SimulationResult;
  readonly measures: Measures;
  readonly split: SampleSplit | null;
  readonly bands: ReshuffleBands | null;
  readonly chance: Chance;
  /** Null where the number of tries is unknown. */
  readonly tried: Tries | null;
}

/** Returns the cautions about a run, the most serious first, as figures without praise. */
function sentencesOf(judged: Judged): string[] {
  return [
    onTrades(judged),
    onLiquidations(judged),
    onOutOfSample(judged),
    onLooks(judged),
    onHolding(judged),
    onLuck(judged),
    onRandomEntries(judged),
    onTrackRecord(judged),
    onBestThree(judged),
    onBands(judged),
    onCosts(judged),
    onRefusals(judged),
    onRefusedAdds(judged),
    onOwnPauses(judged),
    onOwnDays(judged),
    onLength(judged),
    onGaps(judged),
  ].filter((sentence) => sentence !== null);
}

const percent = (share: number): string => {
  const text = `${Math.abs(share * 100).toFixed(1)}%`;
  return share < 0 && text !== "0.0%" ? `−${text}` : text;
};

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

function onTrades({ measures, result }: Judged): string | null {
  const { closedTrades } = measures;
  if (closedTrades >= ENOUGH_TRADES) return null;
  if (closedTrades > 0) {
    return `${plural(closedTrades, "trade is", "trades are")} too few to say anything.`;
  }
  if (result.trades.length > 0) return "The only position is still open: nothing can be said yet.";
  const fired = Object.values(result.fired).reduce((sum, each) => sum + each, 0);
  if (result.ordersWaiting > 0) {
    return "Nothing was traded yet: the last bar's signal is carried out at the next bar's open.";
  }
  if (fired > 0) return `Alerts fired ${plural(fired, "time", "times")}, but nothing was traded.`;
  return result.firingsAfterEnd > 0
    ? `Nothing was traded yet: ${plural(result.firingsAfterEnd, "alert", "alerts")} came within a bar that has not closed.`
    : "No alert fired, so nothing was traded.";
}

function onLiquidations({ result }: Judged): string | null {
  const count = result.trades.filter(({ endedBy }) => endedBy === "liquidation").length;
  return count === 0
    ? null
    : `The venue closed ${plural(count, "position", "positions")} by force: too little money was left.`;
}

function onOutOfSample({ split, measures }: Judged): string | null {
  if (split === null || measures.closedTrades === 0) return null;
  const { inSample, outOfSample } = split;
  if (outOfSample.closedTrades === 0) return "Out of sample it closed no trade.";
  const after = `${percent(Math.abs(outOfSample.totalReturn))}`;
  const before = percent(inSample.totalReturn);
  return outOfSample.totalReturn < 0
    ? `Out of sample it lost ${after}; in the part before it made ${before}.`
    : `Out of sample it made ${after}; in the part before ${before}.`;
}

/** A part that was looked at before decides the choice, and tests it no longer. */
function onLooks({ split, measures, tried }: Judged): string | null {
  if (split === null || measures.closedTrades === 0 || tried === null || tried.looks < 2)
    return null;
  return `The kept-out part of this market was looked at ${tried.looks} times, once for each variant shown; only the first look is a test.`;
}

function onHolding({
  measures: { totalReturn, holdingReturn, closedTrades },
}: Judged): string | null {
  return closedTrades === 0 || totalReturn >= holdingReturn
    ? null
    : `Holding the asset came to more: ${percent(holdingReturn)} against ${percent(totalReturn)}.`;
}

function onLuck({ measures: { deflatedSharpe, closedTrades }, tried }: Judged): string | null {
  if (tried === null) {
    return closedTrades === 0
      ? null
      : "How many variants were tried on this market could not be read, so nothing is said about luck.";
  }
  if (deflatedSharpe === null || closedTrades === 0 || deflatedSharpe >= CONFIDENT) return null;
  const { tries, isFull } = tried;
  const after =
    tries > 1
      ? `After ${isFull ? "more than " : ""}${tries} variants tried on this market, the`
      : "The";
  return `${after} chance that this is more than luck is ${percent(deflatedSharpe)}; 95% is the usual bar.`;
}

function onRandomEntries({ chance: { random } }: Judged): string | null {
  if (random === null || random.share <= 1 - CONFIDENT) return null;
  return `Of 1,000 runs with as many and as long trades at random times, ${percent(random.share)} did at least as well before costs.`;
}

function onTrackRecord({ chance: { daysNeeded }, measures: { days, closedTrades } }: Judged) {
  if (closedTrades === 0 || daysNeeded === null || daysNeeded <= days) return null;
  return `At this Sharpe ratio it takes ${plural(daysNeeded, "day", "days")} to tell it from nothing; these are ${plural(Math.floor(days), "day", "days")}.`;
}

function onBestThree({ measures: { bestThreeShare, closedTrades } }: Judged): string | null {
  return bestThreeShare === null || closedTrades <= 3 || bestThreeShare < MUCH_IN_THREE
    ? null
    : `Its three best trades made ${percent(bestThreeShare)} of all gains.`;
}

function onBands({ bands }: Judged): string | null {
  if (bands === null) return null;
  const { totalReturn, lossShare } = bands;
  return `Drawn anew from blocks of its own days it ends between ${percent(totalReturn.low)} and ${percent(totalReturn.high)} nine times out of ten; ${percent(lossShare)} of the draws lost money.`;
}

function onCosts({ measures: { costShare, totalReturn, closedTrades } }: Judged): string | null {
  const isWorthSaying = closedTrades > 0 && costShare > 0.01 && costShare > Math.abs(totalReturn);
  return isWorthSaying
    ? `Costs took ${percent(costShare)} of the money at the start, more than trading moved it.`
    : null;
}

function onRefusals({ result: { refusals } }: Judged): string | null {
  const { not_filled: missed = 0, failures = 0, loss_limit: lossLimit = 0 } = refusals;
  if (failures > 0) {
    return `Five orders in a row did not fill within the slippage; the ${plural(failures, "entry", "entries")} after that ${failures === 1 ? "was" : "were"} refused, as they would be live.`;
  }
  if (lossLimit > 0) {
    return `${refusedText(lossLimit)} because the day had lost a tenth of the account.`;
  }
  return missed === 0
    ? null
    : `${plural(missed, "order", "orders")} did not fill: the price had moved further than the slippage allows.`;
}

/** The trade log says the same words of an add that was not made. */
function onRefusedAdds({ result: { refusedAdds } }: Judged): string | null {
  const sentences = Object.entries(refusedAdds).map(
    ([reason, count]) => `${plural(count, "add was", "adds were")} not made: ${reasonWhat(reason)}`,
  );
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** A pause that only the owner can end lasts until the end of the run. */
function onOwnPauses({ result }: Judged): string | null {
  const pauses = [
    ["own_fall_limit", "it had fallen from its peak as far as you allow"],
    ["own_losses_limit", "it had lost as often in a row as you allow"],
  ] as const;
  const sentences = pauses.flatMap(([reason, why]) => {
    const count = result.refusals[reason] ?? 0;
    const first = result.orders.find(({ refusal }) => refusal === reason);
    if (first === undefined) return [];
    const day = new Date(first.decidedAtMs).toISOString().slice(0, 10);
    return [
      `From ${day} on it was paused, because ${why}: ${refusedText(count)}, since nobody resumes it in a run.`,
    ];
  });
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** Limits after which entries resume on the next day. */
function onOwnDays({ result: { refusals } }: Judged): string | null {
  const days = [
    [refusals.own_loss_limit ?? 0, "the day had lost as much as you allow"],
    [refusals.own_trades_limit ?? 0, "the day had as many trades as you allow"],
  ] as const;
  const sentences = days.flatMap(([count, why]) =>
    count === 0 ? [] : [`${refusedText(count)} because ${why}.`],
  );
  return sentences.length === 0 ? null : sentences.join(" ");
}

const refusedText = (count: number): string =>
  `${plural(count, "entry was", "entries were")} refused`;

function onLength({ measures: { days } }: Judged): string | null {
  return days >= ENOUGH_DAYS || days === 0
    ? null
    : `${plural(Math.ceil(days), "day shows", "days show")} one mood of the market only.`;
}

function onGaps({ result: { gaps } }: Judged): string | null {
  return gaps === 0 ? null : `The history misses bars in ${plural(gaps, "place", "places")}.`;
}

/** Number of resampled courses. */
const RESHUFFLES = 1_000;

/** Fewest days, or longer bars, to resample. */
const LEAST_PERIODS = 10;

/** Range of the middle 90 % of all samples; shares, 0.1 is ten percent. */
interface Band {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Distribution of results over resampled courses of the account. */
interface ReshuffleBands {
  readonly totalReturn: Band;
  readonly maxDrawdown: Band;
  /** Share of the samples that lost money. */
  readonly lossShare: number;
}

/** The account over a run: its value at the start and at each bar's close. Times in Unix milliseconds. */
export interface Course {
  readonly start: number;
  readonly times: ArrayLike<number>;
  readonly worths: ArrayLike<number>;
}

/**
 * Resamples blocks of the account's days with replacement (circular block bootstrap) and returns the distribution of
 * return and drawdown that another run like it would have. Null for fewer than ten days.
 *
 * Each course is drawn from days that were drawn themselves: the run is one draw as well, and the strategy's mean is as
 * uncertain as its result.
 *
 * Whole days, not trades: the account also falls while a position is open. Days are drawn in blocks of the cube root of
 * their number (Hall, Horowitz and Jing, 1995), since a position lasts for several of them. Within a day every bar
 * counts, so that drawdowns compare with the run's own.
 */
export function reshuffle(
  { start, times, worths }: Course,
  random: Random,
  draws = RESHUFFLES,
): ReshuffleBands | null {
  const periods = periodsOf(start, times, worths);
  if (periods.length < LEAST_PERIODS) return null;
  const ends = new Float64Array(draws);
  const drawdowns = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    const { end, drawdown } = follow(drawBlocks(drawBlocks(periods, random), random));
    ends[draw] = end - 1;
    drawdowns[draw] = drawdown;
  }
  return {
    totalReturn: bandOf(ends),
    maxDrawdown: bandOf(drawdowns),
    lossShare: ends.filter((end) => end < 0).length / draws,
  };
}

/** Draws as many periods as there are, in blocks that go on at the first one after the last. */
function drawBlocks(periods: readonly Period[], random: Random): Period[] {
  const count = periods.length;
  const block = Math.ceil(Math.cbrt(count));
  let at = 0;
  return periods.map((_, drawn) => {
    at = drawn % block === 0 ? Math.floor(random() * count) : (at + 1) % count;
    return periods[at] as Period;
  });
}

/** Returns where a course ends that starts at 1, and its maximum drawdown. */
function follow(periods: readonly Period[]): { readonly end: number; readonly drawdown: number } {
  let worth = 1;
  let peak = 1;
  let drawdown = 0;
  for (const { growth, high, low, drawdown: within } of periods) {
    drawdown = Math.max(drawdown, within, 1 - (worth * low) / peak);
    peak = Math.max(peak, worth * high);
    worth *= growth;
  }
  return { end: worth, drawdown };
}

function bandOf(values: Float64Array): Band {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.05), middle: at(0.5), high: at(0.95) };
}

/** Number of runs with noise; the middle one counts. */
const NOISY_RUNS = 5;

/** Total returns of a run under worse conditions, each changed alone; 0.1 is ten percent. */
export interface StressLines {
  /** Every alert counts one bar later. */
  readonly oneBarLater: number;
  /** Fee, spread and impact are twice as high; funding is unchanged. */
  readonly costsTwice: number;
  /** Every price of every bar is moved by up to half the spread, at random; the middle of five runs. */
  readonly noise: number;
}

/** Runs a simulation again under worse conditions. */
export function stressLines(input: SimulationInput, random: Random): StressLines {
  const { costs, bars } = input;
  const { feePpm, halfSpreadPpm, impactPpm } = costs;
  const dear = {
    feePpm: 2 * feePpm,
    halfSpreadPpm: 2 * halfSpreadPpm,
    halfSpreadPpmByHour: costs.halfSpreadPpmByHour?.map((ppm) => ppm && 2 * ppm),
    impactPpm: 2 * impactPpm,
  };
  const noisy = Array.from({ length: NOISY_RUNS }, () =>
    endOf({ ...input, bars: bars.map((bar) => withNoise(bar, halfSpreadPpm / 1e6, random)) }),
  ).toSorted((one, other) => one - other);
  return {
    oneBarLater: endOf(input, oneBarLater(firingSourceOf(input))),
    costsTwice: endOf({ ...input, costs: { ...costs, ...dear } }),
    noise: noisy[NOISY_RUNS >> 1] ?? 0,
  };
}

const endOf = (input: SimulationInput, source?: FiringSource): number =>
  returnOver(Number(input.startMoney), Number(simulate(input, source).endMoney));

/** Returns a source whose alerts arrive when the next bar closes. */
function oneBarLater(source: FiringSource): FiringSource {
  let waiting: ReturnType<FiringSource["next"]> = [];
  return {
    warmUpBars: source.warmUpBars,
    left: () => source.left() + waiting.length,
    next(bar, position) {
      const due = waiting.map(({ alertKey }) => ({ alertKey }));
      waiting = source.next(bar, position);
      return due;
    },
  };
}

/** Returns a bar with each price moved by up to a share of it; the extremes still contain open and close. */
function withNoise(bar: Bar, share: number, random: Random): Bar {
  const moved = (price: number) => price * (1 + share * (2 * random() - 1));
  const [open, close] = [moved(bar.open), moved(bar.close)];
  const high = Math.max(open, close, moved(bar.high));
  const low = Math.min(open, close, moved(bar.low));
  return { ...bar, open, high, low, close };
}
