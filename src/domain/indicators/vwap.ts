import {
  type BarFigures,
  type Indicator,
  OPEN_TIME,
  type StreamingIndicator,
  VOLUME,
  typicalPrice,
} from "./indicator.ts";

const DAY_MS = 86_400_000;

/** Volume-weighted average price since 00:00 UTC; NaN until the bars include the start of a day and a trade. */
class SessionVwap implements StreamingIndicator {
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

export const vwap = {
  label: "VWAP",
  fullName: "volume price",
  parameters: [],
  outputs: ["value"],
  hasSource: false,
  lookBack: "session",
  pineFunctions: ["ta.vwap"],
  create: () => new SessionVwap(),
  pine: (id) => [`${id} = ta.vwap(hlc3, isNewDay)`],
} as const satisfies Indicator;
