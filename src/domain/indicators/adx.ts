import { WilderAverage } from "./averages.ts";
import { TrueRange } from "./atr.ts";
import {
  type BarFigures,
  HIGH,
  type Indicator,
  LOW,
  type StreamingIndicator,
  period,
  wilder,
  withoutRounding,
} from "./indicator.ts";

/** Average directional index; direction and range are compared from the second bar on, as Wilder does. */
class DirectionalIndex implements StreamingIndicator {
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

export const adx = {
  label: "ADX",
  fullName: "trend strength",
  parameters: [period(14)],
  outputs: ["value"],
  hasSource: false,
  lookBack: ([n]) => 2 * wilder(n) + 1,
  smoothing: 4,
  pineFunctions: ["ta.dmi"],
  create: ([n]) => new DirectionalIndex(n),
  pine: (id, [n]) => [`[${id}_plus, ${id}_minus, ${id}] = ta.dmi(${n}, ${n})`],
} as const satisfies Indicator;
