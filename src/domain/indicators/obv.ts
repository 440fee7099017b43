import { ExactSum } from "./exact-sum.ts";
import {
  type BarFigures,
  CLOSE,
  type Indicator,
  type StreamingIndicator,
  VOLUME,
} from "./indicator.ts";

/** On-balance volume counted from the first bar seen: only its changes are meaningful, not its level. */
class OnBalanceVolume implements StreamingIndicator {
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

export const obv = {
  label: "OBV",
  fullName: "balance volume",
  parameters: [],
  outputs: ["value"],
  hasSource: false,
  lookBack: () => 1,
  isLevelFree: true,
  create: () => new OnBalanceVolume(),
  pine: (id) => [`${id} = ta.obv`],
} as const satisfies Indicator;
