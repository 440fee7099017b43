import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { candleTimeText } from "./chart-time.ts";
import type { ChartView } from "./chart-view.ts";
import { type ChartCursor, readLegend } from "./legend.ts";
import { percentText, priceText, volumeText } from "./percent.ts";
import type { ChartPicture } from "./picture.ts";
import { priceDecimals } from "./series-data.ts";

interface ChartLegendProps {
  readonly view: ChartView | null;
  readonly picture: ChartPicture;
}

const NOWHERE: ChartCursor = { time: null, fromTime: null };

const toneOf = (change: number | null) =>
  change === null ? "text-muted" : change < 0 ? "text-down" : "text-up";

/** Shows the values of the candle under the cursor, or of the newest one. */
export function ChartLegend({ view, picture }: ChartLegendProps) {
  const [cursor, setCursor] = useState(NOWHERE);
  useEffect(() => view?.onCursor(setCursor), [view]);
  const legend = readLegend(picture, cursor);
  if (!legend) return null;
  const { candle, change, indicators, comparisons, trades } = legend;
  const decimals = priceDecimals(candle.close);
  const figures = [
    ["O", candle.open],
    ["H", candle.high],
    ["L", candle.low],
    ["C", candle.close],
  ] as const;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-2 left-3 z-10 flex max-w-[calc(100%-5.5rem)] flex-col gap-0.5 text-2xs"
    >
      <p className="flex flex-wrap gap-x-2">
        <span className="text-muted">
          {candleTimeText(candle.time, picture.candleSeconds, picture.times)}
        </span>
        {figures.map(([name, value]) => (
          <span key={name}>
            <span className="text-faint">{name} </span>
            <span className={toneOf(change)}>{priceText(value, decimals)}</span>
          </span>
        ))}
        {change !== null && <span className={toneOf(change)}>{percentText(change)}</span>}
        <span>
          <span className="text-faint">Vol </span>
          <span className="text-muted">{volumeText(candle.volume)}</span>
        </span>
      </p>
      {indicators.length > 0 && (
        <p className="flex flex-wrap gap-x-3">
          {indicators.map((each) => (
            <span key={each.label} className="flex items-center gap-1 text-muted">
              <span className="size-1.5 rounded-full" style={{ background: each.colour }} />
              {each.text}
            </span>
          ))}
        </p>
      )}
      {comparisons.length > 0 && (
        <p className="flex flex-wrap gap-x-3">
          {comparisons.map((each) => (
            <span key={each.asset} className="flex items-center gap-1 text-muted">
              <span className="size-1.5 rounded-full" style={{ background: each.colour }} />
              {each.asset} {each.change === null ? "–" : percentText(each.change)}
            </span>
          ))}
        </p>
      )}
      {trades.length > 0 && (
        <p className="flex flex-wrap gap-x-3 font-medium">
          {trades.slice(0, 6).map((text, index) => (
            <span
              key={index}
              className={clsx(
                text.startsWith("BUY") && "text-up",
                text.startsWith("SELL") && "text-down",
              )}
            >
              {text}
            </span>
          ))}
          {trades.length > 6 && <span className="text-muted">and {trades.length - 6} more</span>}
        </p>
      )}
    </div>
  );
}
