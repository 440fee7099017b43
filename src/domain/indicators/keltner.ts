import { ExponentialAverage } from "./averages.ts";
import { AverageTrueRange } from "./atr.ts";
import {
  type BarFigures,
  CLOSE,
  type Indicator,
  type StreamingIndicator,
  factor,
  period,
  whole,
  wilder,
} from "./indicator.ts";

/** Keltner Channels: an EMA of the close with bands of average true ranges. */
class KeltnerChannels implements StreamingIndicator {
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

export const keltner = {
  label: "Keltner",
  fullName: "channel",
  parameters: [period(20, 2), factor("multiple", 2), whole("ATR period", 10)],
  outputs: ["upper", "middle", "lower"],
  hasSource: false,
  lookBack: ([n, , atrPeriod]) => Math.max(n, wilder(atrPeriod) + 1),
  smoothing: 2,
  create: ([n, multiple, atrPeriod]) => new KeltnerChannels(n, multiple, atrPeriod),
  pine: (id, [n, multiple, atrPeriod]) => [
    `${id}_middle = ta.ema(close, ${n})`,
    `${id}_reach = ${multiple} * ta.atr(${atrPeriod})`,
    `${id}_upper = ${id}_middle + ${id}_reach`,
    `${id}_lower = ${id}_middle - ${id}_reach`,
  ],
} as const satisfies Indicator;
