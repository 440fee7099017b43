import { ExactSum } from "./exact-sum.ts";
import {
  type BarFigures,
  CLOSE,
  OPEN_TIME,
  type StreamingIndicator,
  VOLUME,
  typicalPrice,
  withoutRounding,
} from "./streaming-indicator.ts";
import { NumberWindow } from "./window.ts";

const DAY_MS = 86_400_000;

/** Money flow index; 100 while no money flowed out, 50 while none flowed at all. */
export class MoneyFlow implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly flows: NumberWindow;
  private readonly positive = new ExactSum();
  private readonly negative = new ExactSum();
  private before = Number.NaN;

  constructor(period: number) {
    this.flows = new NumberWindow(period);
  }

  next(bar: BarFigures): void {
    const price = typicalPrice(bar);
    const change = withoutRounding(price - this.before, price);
    this.before = price;
    if (Number.isNaN(change)) return;
    const flow = Math.sign(change) * price * (bar[VOLUME] ?? 0);
    const left = this.flows.push(flow);
    (flow > 0 ? this.positive : this.negative).add(flow);
    (left > 0 ? this.positive : this.negative).add(-left);
    if (!this.flows.isFull) return;
    const inflow = this.positive.value;
    const total = inflow - this.negative.value;
    this.values[0] = total === 0 ? 50 : (100 * inflow) / total;
  }
}

/** On-balance volume counted from the first bar seen: only its changes are meaningful, not its level. */
export class OnBalanceVolume implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private readonly sum = new ExactSum();
  private before = Number.NaN;

  next(bar: BarFigures): void {
    const close = bar[CLOSE] ?? 0;
    if (close > this.before) this.sum.add(bar[VOLUME] ?? 0);
    if (close < this.before) this.sum.add(-(bar[VOLUME] ?? 0));
    this.before = close;
    this.values[0] = this.sum.value;
  }
}

/** Volume-weighted average price since 00:00 UTC; NaN until the bars include the start of a day and a trade. */
export class SessionVwap implements StreamingIndicator {
  readonly values = new Float64Array([Number.NaN]);
  private day = Number.NaN;
  private isWhole = false;
  private money = 0;
  private volume = 0;

  next(bar: BarFigures): void {
    const openTimeMs = bar[OPEN_TIME] ?? 0;
    const day = Math.floor(openTimeMs / DAY_MS);
    if (day !== this.day) {
      // The first bars may lie in the middle of a day whose start was not seen
      this.isWhole = !Number.isNaN(this.day) || openTimeMs % DAY_MS === 0;
      this.day = day;
      this.money = 0;
      this.volume = 0;
    }
    this.money += typicalPrice(bar) * (bar[VOLUME] ?? 0);
    this.volume += bar[VOLUME] ?? 0;
    this.values[0] = this.isWhole && this.volume > 0 ? this.money / this.volume : Number.NaN;
  }
}
