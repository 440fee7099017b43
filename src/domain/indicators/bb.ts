import {
  type BarFigures,
  type Indicator,
  type StreamingIndicator,
  factor,
  period,
} from "./indicator.ts";
import { RollingDeviation } from "./stddev.ts";

/** Bollinger Bands; the width is in percent of the middle. */
class BollingerBands implements StreamingIndicator {
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

export const bb = {
  label: "Bollinger",
  fullName: "bands",
  parameters: [period(20, 2), factor("deviations", 2)],
  outputs: ["upper", "middle", "lower", "width"],
  hasSource: true,
  lookBack: ([n]) => n,
  pineFunctions: ["ta.bb"],
  create: ([n, deviations], source) => new BollingerBands(n, deviations, source),
  pine: (id, [n, deviations], source) => [
    `[${id}_middle, ${id}_upper, ${id}_lower] = ta.bb(${source}, ${n}, ${deviations})`,
    `${id}_width = 100 * (${id}_upper - ${id}_lower) / ${id}_middle`,
  ],
} as const satisfies Indicator;
