import type { Operand } from "../domain/condition/condition.ts";
import {
  createIndicator,
  specOf,
  PRICE_FIELDS,
  type PositionFigure,
} from "../domain/condition/indicator-table.ts";
import type { Bar } from "./bar.ts";
import type { PositionFacts } from "./firing.ts";
import {
  CLOSE,
  HIGH,
  LOW,
  OPEN,
  OPEN_TIME,
  type StreamingIndicator,
  VOLUME,
} from "../domain/indicators/indicator.ts";
import { PositionFigures } from "./position-figures.ts";

/** A figure that can be read at the current bar and at earlier ones; NaN where it is missing. */
export interface Figure {
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
export class Figures {
  private readonly bar = new Float64Array(OPEN_TIME + 1);
  private readonly prices = new Map<number, FigureHistory>();
  private readonly feeds = new Map<string, IndicatorFeed>();
  private readonly positionHistories = new Map<PositionFigure, FigureHistory>();
  private readonly position: PositionFigures;
  // Arrays of the values in the maps above: iterating over a map allocates on every bar
  private indicators: readonly StreamingIndicator[] = [];
  private taps: readonly Tap[] = [];
  private positionTaps: readonly (readonly [PositionFigure, FigureHistory])[] = [];

  constructor(intervalMinutes: number) {
    this.position = new PositionFigures(intervalMinutes);
  }

  /**
   * Returns an operand as a figure that can be read `reach` bars back; all figures are requested before the first bar.
   */
  figureOf(operand: Operand, reach: number): Figure {
    if (operand.kind === "number") return { at: () => operand.value };
    const history = this.historyOf(operand);
    this.listAll();
    const back = operand.kind === "position" ? 0 : (operand.barsBack ?? 0);
    history.reach(back + reach);
    return back === 0 ? history : { at: (barsBack) => history.at(back + barsBack) };
  }

  next(bar: Bar, position: PositionFacts | null): void {
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
      history.push(this.position.figure(name));
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

function historyIn<Key>(histories: Map<Key, FigureHistory>, key: Key): FigureHistory {
  const known = histories.get(key);
  if (known !== undefined) return known;
  const history = new FigureHistory();
  histories.set(key, history);
  return history;
}
