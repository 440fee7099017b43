import { WilderAverage } from "./averages.ts";
import {
  type BarFigures,
  CLOSE,
  HIGH,
  LOW,
  type StreamingIndicator,
  withoutRounding,
} from "./streaming-indicator.ts";

/** Wilder's true range; for the first bar, its high less its low. */
class TrueRange {
  private closeBefore = Number.NaN;

  push(bar: BarFigures): number {
    const high = bar[HIGH] ?? 0;
    const low = bar[LOW] ?? 0;
    const before = this.closeBefore;
    this.closeBefore = bar[CLOSE] ?? 0;
    return Number.isNaN(before) ? high - low : Math.max(high, before) - Math.min(low, before);
  }
}

/** Average true range with Wilder's smoothing. */
export class AverageTrueRange implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly range = new TrueRange();
  private readonly average: WilderAverage;

  constructor(period: number) {
    this.average = new WilderAverage(period);
  }

  next(bar: BarFigures): void {
    this.values[0] = this.average.push(this.range.push(bar));
  }
}

/** Average directional index; direction and range are compared from the second bar on, as Wilder does. */
export class DirectionalIndex implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly trueRange = new TrueRange();
  private readonly range: WilderAverage;
  private readonly up: WilderAverage;
  private readonly down: WilderAverage;
  private readonly average: WilderAverage;
  private highBefore = Number.NaN;
  private lowBefore = Number.NaN;

  constructor(period: number) {
    this.range = new WilderAverage(period);
    this.up = new WilderAverage(period);
    this.down = new WilderAverage(period);
    this.average = new WilderAverage(period);
  }

  next(bar: BarFigures): void {
    const high = bar[HIGH] ?? 0;
    const low = bar[LOW] ?? 0;
    const rise = high - this.highBefore;
    const fall = this.lowBefore - low;
    const trueRange = this.trueRange.push(bar);
    const isFirst = Number.isNaN(this.highBefore);
    this.highBefore = high;
    this.lowBefore = low;
    if (isFirst) return;
    const range = this.range.push(trueRange);
    // Equal moves up and down count for neither direction
    const lead = withoutRounding(rise - fall, high);
    const up = this.up.push(lead > 0 && rise > 0 ? rise : 0);
    const down = this.down.push(lead < 0 && fall > 0 ? fall : 0);
    if (Number.isNaN(range)) return;
    const both = up + down;
    this.values[0] = this.average.push(both === 0 ? 0 : (100 * Math.abs(up - down)) / both);
  }
}

/** Supertrend: a trailing band of average true ranges around the middle of the bar; direction is 1 up and -1 down. */
export class Supertrend implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN, Number.NaN]);
  private readonly atr: AverageTrueRange;
  private readonly multiple: number;
  private lower = 0;
  private upper = 0;
  private closeBefore = 0;

  constructor(period: number, multiple: number) {
    this.atr = new AverageTrueRange(period);
    this.multiple = multiple;
  }

  next(bar: BarFigures): void {
    this.atr.next(bar);
    const close = bar[CLOSE] ?? 0;
    const before = this.closeBefore;
    this.closeBefore = close;
    const reach = this.multiple * (this.atr.values[0] ?? 0);
    if (Number.isNaN(reach)) return;
    const middle = ((bar[HIGH] ?? 0) + (bar[LOW] ?? 0)) / 2;
    const direction = this.values[1] ?? 0;
    const isFirst = Number.isNaN(direction);
    // A band only tightens until a close breaks through it
    if (isFirst || middle - reach > this.lower || isBeyond(this.lower, before)) {
      this.lower = middle - reach;
    }
    if (isFirst || middle + reach < this.upper || isBeyond(before, this.upper)) {
      this.upper = middle + reach;
    }
    const isUp =
      direction === 1 ? !isBeyond(this.lower, close) : !isFirst && isBeyond(close, this.upper);
    this.values[0] = isUp ? this.lower : this.upper;
    this.values[1] = isUp ? 1 : -1;
  }
}

/** Returns whether a price is above another one by more than rounding. */
const isBeyond = (price: number, other: number): boolean =>
  withoutRounding(price - other, price) > 0;
