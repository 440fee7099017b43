import { type Candle, candleAt, indexAt } from "./candle.ts";
import { percentChange, priceText } from "./percent.ts";
import type { ChartPicture } from "./picture.ts";
import { priceDecimals } from "../../lib/format.ts";
import { tradeLine } from "./trade-markers.ts";

/** Cursor position, and the first visible candle, which is the base of comparisons. */
export interface ChartCursor {
  readonly time: number | null;
  readonly fromTime: number | null;
}

export interface Legend {
  readonly candle: Candle;
  /** Change from open to close of the candle. */
  readonly change: number | null;
  /** Changes since the first visible candle; null when the asset has no price yet. */
  readonly comparisons: readonly {
    readonly asset: string;
    readonly colour: string;
    readonly change: number | null;
  }[];
  /** Indicators with their figures, for instance "EMA 20 133.05". */
  readonly indicators: readonly {
    readonly label: string;
    readonly colour: string;
    readonly text: string;
  }[];
  readonly trades: readonly string[];
}

function changeSince(
  candles: readonly Candle[],
  fromTime: number | null,
  time: number,
): number | null {
  const first = candles[fromTime === null ? 0 : Math.max(0, indexAt(candles, fromTime))];
  return percentChange(first?.close, candles[indexAt(candles, time)]?.close);
}

/** Returns the legend at the cursor, or of the last candle without one; null without candles. */
export function readLegend(picture: ChartPicture, cursor: ChartCursor): Legend | null {
  const atCursor = cursor.time === null ? undefined : candleAt(picture.candles, cursor.time);
  const candle = atCursor ?? picture.candles.at(-1);
  if (!candle) return null;
  const { time } = candle;
  return {
    candle,
    change: percentChange(candle.open, candle.close),
    comparisons: picture.comparisons.map(({ asset, colour, candles }) => ({
      asset,
      colour,
      change: changeSince(candles, cursor.fromTime, time),
    })),
    indicators: picture.indicators.map(({ label, colour, points }) => {
      const point = points[indexAt(points, time)];
      const isKnown = point?.time === time;
      const decimals = Math.max(2, priceDecimals(point?.value ?? 0));
      const figure = isKnown ? priceText(point.value, decimals) : "–";
      return { label, colour, text: `${label} ${figure}` };
    }),
    trades: [
      ...picture.trades
        .filter((placed) => placed.time === time)
        .map(({ trade }) => tradeLine(trade)),
      ...picture.marks
        .filter((mark) => mark.time === time)
        .map(({ kind, text }) => (text === "" ? kind : text)),
      ...picture.firings
        .filter((firing) => firing.time === time)
        .map(({ text }) => `${text} fires`),
    ],
  };
}
