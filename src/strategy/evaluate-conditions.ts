import type {
  AlertCondition,
  Comparison,
  Operand,
  PairComparison,
  TrendComparison,
} from "../domain/condition/condition.ts";
import { barNumberAt, barSpanAt, type Bar } from "./bar-times.ts";
import { type BarClock, createScheduleClock, createSessionClock } from "./schedule.ts";
import { comparisonsOf, longestWarmUp, operandsOf, type ReadBars, readBarsOf } from "./warm-up.ts";
import { comparisonText } from "../domain/condition/condition-text.ts";
import {
  createIndicator,
  specOf,
  PRICE_FIELDS,
  type PositionFigure,
  type StreamingIndicator,
} from "../domain/condition/indicator-table.ts";
import { CLOSE, HIGH, LOW, OPEN, OPEN_TIME, VOLUME } from "../domain/indicators/indicator.ts";
import type { ComparedFigures, ConditionFiring, PositionFacts } from "./firing.ts";

const NO_FIGURES: Readonly<Record<PositionFigure, number>> = {
  "bars-since-entry": Number.NaN,
  "profit-percent": Number.NaN,
  "drop-from-best-percent": Number.NaN,
};

/**
 * Tracks the open position from bar to bar.
 *
 * It needs the position with every bar since the entry, also during replay: the best price is computed from these bars,
 * and from `bestCloseBefore` for bars before the first one received.
 */
class PositionFigures {
  readonly figures: Record<PositionFigure, number> = { ...NO_FIGURES };
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
    const { figures } = this;
    figures["bars-since-entry"] = this.barsUntil(bar.openTimeMs);
    figures["profit-percent"] = (direction * 100 * (bar.close - entryPrice)) / entryPrice;
    figures["drop-from-best-percent"] = (direction * 100 * (best - bar.close)) / best;
    return isNew;
  }

  private barsUntil(openTimeMs: number): number {
    // The millisecond before a close lies within the bar that closes then
    const entered = barNumberAt(this.intervalMinutes, this.enteredAtMs - 1);
    return barNumberAt(this.intervalMinutes, openTimeMs) - entered;
  }

  private clear(): boolean {
    const had = !Number.isNaN(this.enteredAtMs);
    Object.assign(this.figures, NO_FIGURES);
    this.enteredAtMs = Number.NaN;
    return had;
  }
}

/** A figure that can be read at the current bar and at earlier ones; NaN where it is missing. */
interface Figure {
  at(barsBack: number): number;
}

/** The last values of one price, indicator output or position figure. */
class FigureHistory implements Figure {
  private depth = 1;
  private items = new Float64Array(1).fill(Number.NaN);
  private head = 0;

  /** Extends the history to `barsBack` bars; called before the first bar. */
  reach(barsBack: number): void {
    if (barsBack < this.depth) return;
    this.depth = barsBack + 1;
    this.items = new Float64Array(this.depth).fill(Number.NaN);
  }

  push(item: number): void {
    this.head = this.head + 1 >= this.depth ? 0 : this.head + 1;
    this.items[this.head] = item;
  }

  at(barsBack: number): number {
    const index = this.head - barsBack;
    return this.items[index < 0 ? index + this.depth : index] ?? Number.NaN;
  }

  clear(): void {
    this.items.fill(Number.NaN);
  }
}

/**
 * Figures of longer bars, of another asset's bars or of both, joined from bars of the agent's interval. Such a bar counts
 * from the agent's first bar after its close.
 */
class OtherFigures {
  readonly figures: Figures;
  private readonly minutes: number;
  private readonly asset: string | undefined;
  private joined: { -readonly [Field in keyof Bar]: Bar[Field] } | null = null;
  private closedAtMs = Number.NaN;
  private follows = false;
  private openTimeMs = Number.NaN;

  constructor({ minutes, asset }: ReadBars) {
    this.minutes = minutes;
    this.asset = asset;
    this.figures = new Figures(minutes);
  }

  next(bar: Bar): void {
    this.openTimeMs = bar.openTimeMs;
    const part = this.asset === undefined ? bar : bar.beside?.[this.asset];
    if (part !== undefined) {
      this.closeBefore(part.openTimeMs);
      this.join(part);
    }
    this.closeBefore(bar.openTimeMs);
  }

  /** Returns whether no bar is missing: neither the last one nor the one before. */
  isWhole(): boolean {
    return this.follows && barSpanAt(this.minutes, this.openTimeMs).openTimeMs === this.closedAtMs;
  }

  private join(part: Bar): void {
    const { joined } = this;
    if (joined === null) {
      this.joined = { ...part, ...barSpanAt(this.minutes, part.openTimeMs) };
      return;
    }
    joined.high = Math.max(joined.high, part.high);
    joined.low = Math.min(joined.low, part.low);
    joined.close = part.close;
    joined.volume += part.volume;
  }

  private closeBefore(timeMs: number): void {
    const { joined } = this;
    if (joined === null || timeMs < joined.closeTimeMs) return;
    this.follows = joined.openTimeMs === this.closedAtMs;
    this.closedAtMs = joined.closeTimeMs;
    this.joined = null;
    this.figures.next(joined, null);
  }
}

interface IndicatorFeed {
  readonly indicator: StreamingIndicator;
  readonly outputs: Map<number, FigureHistory>;
}

/** Source of a history's value on each bar. */
interface Tap {
  readonly values: Float64Array;
  readonly index: number;
  readonly history: FigureHistory;
}

/** All figures a set of conditions reads, each computed once per bar even if it is named several times. */
class Figures {
  private readonly bar = new Float64Array(OPEN_TIME + 1);
  private readonly prices = new Map<number, FigureHistory>();
  private readonly feeds = new Map<string, IndicatorFeed>();
  private readonly positionHistories = new Map<PositionFigure, FigureHistory>();
  private readonly position: PositionFigures;
  private readonly intervalMinutes: number;
  // Arrays of the values in the maps above: iterating over a map allocates on every bar
  private indicators: readonly StreamingIndicator[] = [];
  private taps: readonly Tap[] = [];
  private positionTaps: readonly (readonly [PositionFigure, FigureHistory])[] = [];
  private readonly others = new Map<string, OtherFigures>();
  private otherFigures: readonly OtherFigures[] = [];
  /** Figures of other bars as the agent's bars see them, for crossings. */
  private readonly seen: { readonly figure: Figure; readonly history: FigureHistory }[] = [];

  constructor(intervalMinutes: number) {
    this.intervalMinutes = intervalMinutes;
    this.position = new PositionFigures(intervalMinutes);
  }

  /**
   * Returns an operand as a figure that can be read `reach` bars back; all figures are requested before the first bar.
   */
  figureOf(operand: Operand, reach: number): Figure {
    if (operand.kind === "number") return { at: () => operand.value };
    const others = this.othersOf(operand);
    if (others !== null) return others.figures.figureOf(ownBars(operand), reach);
    const history = this.historyOf(operand);
    this.listAll();
    const back = operand.kind === "position" ? 0 : (operand.barsBack ?? 0);
    history.reach(back + reach);
    return back === 0 ? history : { at: (barsBack) => history.at(back + barsBack) };
  }

  /** Returns an operand as a figure that can be read on the agent's bar before, whichever bars it is computed on. */
  crossingFigureOf(operand: Operand): Figure {
    if (this.othersOf(operand) === null) return this.figureOf(operand, 1);
    const history = new FigureHistory();
    history.reach(1);
    this.seen.push({ figure: this.figureOf(operand, 0), history });
    return history;
  }

  /** Returns the other bars an operand is computed on; null for the agent's own. */
  othersOf(operand: Operand): OtherFigures | null {
    const read = readBarsOf(operand, this.intervalMinutes);
    if (read === null) return null;
    const others = this.others.get(read.key) ?? new OtherFigures(read);
    this.others.set(read.key, others);
    this.otherFigures = [...this.others.values()];
    return others;
  }

  next(bar: Bar, position: PositionFacts | null): void {
    for (const others of this.otherFigures) others.next(bar);
    for (const { figure, history } of this.seen) history.push(figure.at(0));
    const figures = this.bar;
    figures[OPEN] = bar.open;
    figures[HIGH] = bar.high;
    figures[LOW] = bar.low;
    figures[CLOSE] = bar.close;
    figures[VOLUME] = bar.volume;
    figures[OPEN_TIME] = bar.openTimeMs;
    const { indicators, taps } = this;
    for (let index = 0; index < indicators.length; index += 1) indicators[index]?.next(figures);
    for (let index = 0; index < taps.length; index += 1) {
      const tap = taps[index];
      if (tap !== undefined) tap.history.push(tap.values[tap.index] ?? Number.NaN);
    }
    if (this.positionTaps.length > 0) this.followPosition(bar, position);
  }

  private listAll(): void {
    const feeds = [...this.feeds.values()];
    this.indicators = feeds.map(({ indicator }) => indicator);
    this.taps = [
      ...[...this.prices].map(([index, history]) => ({ values: this.bar, index, history })),
      ...feeds.flatMap(({ indicator: { values }, outputs }) =>
        [...outputs].map(([index, history]) => ({ values, index, history })),
      ),
    ];
    this.positionTaps = [...this.positionHistories];
  }

  private followPosition(bar: Bar, position: PositionFacts | null): void {
    const hasChanged = this.position.next(bar, position);
    for (const [name, history] of this.positionTaps) {
      // Figures of an earlier position do not continue into this one
      if (hasChanged) history.clear();
      history.push(this.position.figures[name]);
    }
  }

  private historyOf(operand: Exclude<Operand, { readonly kind: "number" }>): FigureHistory {
    switch (operand.kind) {
      case "price":
        return historyIn(this.prices, PRICE_FIELDS.indexOf(operand.field));
      case "position":
        return historyIn(this.positionHistories, operand.figure);
      case "indicator": {
        const { name, parameters, output, source = "close" } = operand;
        const spec = specOf(name);
        const key = [name, ...parameters, spec.hasSource ? source : ""].join(" ");
        const feed = this.feeds.get(key) ?? {
          indicator: createIndicator(name, parameters, PRICE_FIELDS.indexOf(source)),
          outputs: new Map(),
        };
        this.feeds.set(key, feed);
        return historyIn(feed.outputs, spec.outputs.indexOf(output));
      }
    }
  }
}

/** Returns the operand as it reads on the other bars themselves. */
function ownBars(operand: Operand): Operand {
  if (operand.kind !== "price" && operand.kind !== "indicator") return operand;
  const { on: _others, ...own } = operand;
  return own;
}

function historyIn<Key>(histories: Map<Key, FigureHistory>, key: Key): FigureHistory {
  const known = histories.get(key);
  if (known !== undefined) return known;
  const history = new FigureHistory();
  histories.set(key, history);
  return history;
}

/** Relative difference below which two figures count as equal: smaller differences are rounding. */
const EQUAL_WITHIN = 1e-9;

/** Returns whether a figure is above another one; false where either is missing. */
function isAbove(left: number, right: number): boolean {
  return left - right > EQUAL_WITHIN * Math.max(Math.abs(left), Math.abs(right));
}

/** One comparison bound to the figures it reads. */
interface BoundComparison {
  holds(): boolean;
  figures(): ComparedFigures;
}

/** Binds a comparison to its figures. It does not hold where one of the other bars it reads is missing. */
function bindComparison(comparison: Comparison, figures: Figures): BoundComparison {
  const others = operandsOf(comparison).flatMap((operand) => figures.othersOf(operand) ?? []);
  const bound =
    "right" in comparison ? bindPair(comparison, figures) : bindTrend(comparison, figures);
  if (others.length === 0) return bound;
  return { ...bound, holds: () => others.every((each) => each.isWhole()) && bound.holds() };
}

function bindTrend(comparison: TrendComparison, figures: Figures): BoundComparison {
  const { is, bars } = comparison;
  const text = comparisonText(comparison);
  const left = figures.figureOf(comparison.left, bars);
  return {
    holds: () => isCourse(left, bars, is === "rises-for"),
    figures: () => ({
      text,
      left: left.at(0),
      right: null,
      leftBefore: left.at(1),
      rightBefore: null,
    }),
  };
}

function bindPair(comparison: PairComparison, figures: Figures): BoundComparison {
  const text = comparisonText(comparison);
  const crosses = comparison.is === "crosses-above" || comparison.is === "crosses-below";
  const [left, right] = [comparison.left, comparison.right].map((operand) =>
    crosses ? figures.crossingFigureOf(operand) : figures.figureOf(operand, 0),
  ) as [Figure, Figure];
  const isUp = comparison.is === "above" || comparison.is === "crosses-above";
  const [high, low] = isUp ? [left, right] : [right, left];
  return {
    holds: () => isAbove(high.at(0), low.at(0)) && (!crosses || wasNotAbove(high.at(1), low.at(1))),
    figures: () => ({
      text,
      left: left.at(0),
      right: right.at(0),
      leftBefore: crosses ? left.at(1) : null,
      rightBefore: crosses ? right.at(1) : null,
    }),
  };
}

/** Returns whether the bar before was not above; false where a figure is missing, so that nothing crosses there. */
function wasNotAbove(left: number, right: number): boolean {
  return !Number.isNaN(left - right) && !isAbove(left, right);
}

function isCourse(figure: Figure, bars: number, isUp: boolean): boolean {
  for (let back = 0; back < bars; back += 1) {
    const now = figure.at(back);
    const before = figure.at(back + 1);
    if (!(isUp ? isAbove(now, before) : isAbove(before, now))) return false;
  }
  return true;
}

/** An alert's condition with the key that names its firings. */
export interface NamedCondition {
  /** The alert's id on the server, or its name before it has one. */
  readonly alertKey: string;
  readonly condition: AlertCondition;
}

/**
 * Returns the number of warm-up bars before firings count: 8 times the longest period, at least 200.
 *
 * Earlier bars then weigh at most e⁻¹⁶, so evaluators started on different bars agree. A session's average price needs
 * the bars of one day instead; their number depends on the interval.
 */
export function warmUpBars(conditions: readonly NamedCondition[], intervalMinutes = 1): number {
  return longestWarmUp(
    conditions.map(({ condition }) => condition),
    intervalMinutes,
  );
}

/** Takes the closed bars of one market and interval in order and returns the alerts that fire on each. */
export interface ConditionEvaluator {
  /**
   * Returns the alerts that fire at a bar's close: none during the first `warmUpBars`, and only schedules on a bar
   * after a gap.
   *
   * The bar object may be reused and overwritten between calls. `position` is the agent's position at the bar's close.
   */
  next(bar: Bar, position?: PositionFacts | null): readonly ConditionFiring[];
  /** Returns the figures that a condition compares on the last bar, whether it fired or not; NaN where one is missing. */
  compared(alertKey: string): readonly ComparedFigures[];
}

interface BoundCondition {
  readonly alertKey: string;
  readonly comparisons: readonly BoundComparison[];
  /** Null where the condition may fire at any time. */
  readonly clock: BarClock | null;
}

const NONE: readonly ConditionFiring[] = [];

/** Creates an evaluator that has seen no bar; every condition has passed `checkCondition`. */
export function createConditionEvaluator(
  conditions: readonly NamedCondition[],
  intervalMinutes: number,
): ConditionEvaluator {
  const figures = new Figures(intervalMinutes);
  const bound = conditions.map((each) => bindCondition(each, figures, intervalMinutes));
  const warmUp = warmUpBars(conditions, intervalMinutes);
  let seen = 0;
  let closeBeforeMs = 0;
  return {
    next(bar, position = null) {
      const closedBefore = closeBeforeMs;
      closeBeforeMs = bar.closeTimeMs;
      figures.next(bar, position);
      seen += 1;
      if (seen <= warmUp) return NONE;
      const follows = bar.openTimeMs === closedBefore;
      let fired: ConditionFiring[] | null = null;
      for (const condition of bound) {
        if (!follows && condition.comparisons.length > 0) continue;
        if (!holds(condition, bar, closedBefore)) continue;
        fired ??= [];
        fired.push({
          alertKey: condition.alertKey,
          closedAtMs: bar.closeTimeMs,
          price: bar.close,
          compared: condition.comparisons.map((each) => each.figures()),
        });
      }
      return fired ?? NONE;
    },
    compared: (alertKey) =>
      bound
        .filter((each) => each.alertKey === alertKey)
        .flatMap(({ comparisons }) => comparisons.map((each) => each.figures())),
  };
}

function bindCondition(
  { alertKey, condition }: NamedCondition,
  figures: Figures,
  intervalMinutes: number,
): BoundCondition {
  const comparisons = comparisonsOf(condition).map((each) => bindComparison(each, figures));
  if (condition.kind !== "comparisons") {
    return { alertKey, comparisons, clock: createScheduleClock(condition, intervalMinutes) };
  }
  const { session } = condition;
  return {
    alertKey,
    comparisons,
    clock: session === undefined ? null : createSessionClock(session),
  };
}

function holds({ comparisons, clock }: BoundCondition, bar: Bar, closeBeforeMs: number): boolean {
  for (const comparison of comparisons) if (!comparison.holds()) return false;
  return clock === null || clock(bar.openTimeMs, bar.closeTimeMs, closeBeforeMs);
}
