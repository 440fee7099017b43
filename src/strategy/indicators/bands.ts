import { ExponentialAverage } from "./averages.ts";
import { ExactSum, productError } from "./exact-sum.ts";
import { AverageTrueRange } from "./ranges.ts";
import {
  type BarFigures,
  CLOSE,
  HIGH,
  LOW,
  type StreamingIndicator,
} from "./streaming-indicator.ts";
import { NumberWindow, RollingMaximum } from "./window.ts";

/** A variance below this share of the squared mean is rounding, not movement. */
const ROUNDING_SHARE = 1e-28;

/** Mean and population standard deviation of a rolling window. */
class RollingDeviation {
  mean = Number.NaN;
  private readonly window: NumberWindow;
  private readonly sum = new ExactSum();
  private readonly squares = new ExactSum();

  constructor(period: number) {
    this.window = new NumberWindow(period);
  }

  push(item: number): number {
    const left = this.window.push(item);
    this.sum.add(item);
    this.sum.add(-left);
    this.squares.addProduct(item, item);
    this.squares.addProduct(-left, left);
    if (!this.window.isFull) return Number.NaN;
    const count = this.window.length;
    const sum = this.sum.value;
    this.mean = sum / count;
    // count² × variance = count × Σx² − (Σx)², in double-double precision because the two terms nearly cancel
    const squares = this.squares.value;
    const first = count * squares;
    const second = sum * sum;
    const firstError = productError(count, squares, first) + count * this.squares.error;
    const secondError = productError(sum, sum, second) + 2 * sum * this.sum.error;
    const difference = first - second + (firstError - secondError);
    return difference <= first * ROUNDING_SHARE ? 0 : Math.sqrt(difference) / count;
  }
}

/** Population standard deviation of one price. */
export class StandardDeviation implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly deviation: RollingDeviation;
  private readonly source: number;

  constructor(period: number, source: number) {
    this.deviation = new RollingDeviation(period);
    this.source = source;
  }

  next(bar: BarFigures): void {
    this.values[0] = this.deviation.push(bar[this.source] ?? 0);
  }
}

/** Bollinger Bands; the width is in percent of the middle. */
export class BollingerBands implements StreamingIndicator {
  readonly values = new Float64Array(4).fill(Number.NaN);
  private readonly deviation: RollingDeviation;
  private readonly deviations: number;
  private readonly source: number;

  constructor(period: number, deviations: number, source: number) {
    this.deviation = new RollingDeviation(period);
    this.deviations = deviations;
    this.source = source;
  }

  next(bar: BarFigures): void {
    const reach = this.deviations * this.deviation.push(bar[this.source] ?? 0);
    const middle = this.deviation.mean;
    this.values[0] = middle + reach;
    this.values[1] = middle;
    this.values[2] = middle - reach;
    this.values[3] = (200 * reach) / middle;
  }
}

/** Highest high and lowest low of the last bars, including the current one. */
export class DonchianChannel implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN, Number.NaN]);
  private readonly highest: RollingMaximum;
  private readonly lowest: RollingMaximum;

  constructor(period: number) {
    this.highest = new RollingMaximum(period);
    this.lowest = new RollingMaximum(period);
  }

  next(bar: BarFigures): void {
    const high = this.highest.push(bar[HIGH] ?? 0);
    const low = -this.lowest.push(-(bar[LOW] ?? 0));
    if (!this.highest.isFull) return;
    this.values[0] = high;
    this.values[1] = low;
  }
}

/** Keltner Channels: an EMA of the close with bands of average true ranges. */
export class KeltnerChannels implements StreamingIndicator {
  readonly values = new Float64Array(3).fill(Number.NaN);
  private readonly middle: ExponentialAverage;
  private readonly atr: AverageTrueRange;
  private readonly multiple: number;

  constructor(period: number, multiple: number, atrPeriod: number) {
    this.middle = new ExponentialAverage(period);
    this.atr = new AverageTrueRange(atrPeriod);
    this.multiple = multiple;
  }

  next(bar: BarFigures): void {
    const middle = this.middle.push(bar[CLOSE] ?? 0);
    this.atr.next(bar);
    const reach = this.multiple * (this.atr.values[0] ?? 0);
    this.values[0] = middle + reach;
    this.values[1] = middle;
    this.values[2] = middle - reach;
  }
}
