import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import type { Candle } from "./candle.ts";
import { percentChange, percentText, priceText } from "./percent.ts";
import { priceDecimals } from "./series-data.ts";

interface ChartHeaderProps {
  readonly pair: string;
  /** Newest market candle; absent without one. */
  readonly last: Candle | undefined;
  /** True when newer candles could not be loaded; the price is dimmed. */
  readonly isOld: boolean;
  readonly source: string | null;
  readonly position: ReactNode;
}

/** Badge of the candle source; practice prices are invented and must not look like market prices. */
function SourceBadge({ source }: { readonly source: string }) {
  const isPractice = /practice/i.test(source);
  return (
    <Badge
      tone={isPractice ? "practice" : "neutral"}
      title={isPractice ? "Prices of the practice market, not market prices" : "Source of prices"}
    >
      {isPractice ? "Practice market" : source}
    </Badge>
  );
}

export function ChartHeader({ pair, last, isOld, source, position }: ChartHeaderProps) {
  const change = last && percentChange(last.open, last.close);
  return (
    <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 pt-2 pb-1">
      <div className="flex min-w-0 items-center gap-x-3">
        <h2 className="text-lg font-semibold">{pair}</h2>
        {last && (
          <p
            title={isOld ? "Newer candles could not be loaded" : undefined}
            className={clsx("flex items-baseline gap-2 whitespace-nowrap", isOld && "opacity-50")}
          >
            <span className="text-lg">${priceText(last.close, priceDecimals(last.close))}</span>
            {change != null && (
              <span
                title="Change of the newest candle"
                className={clsx("text-xs", change < 0 ? "text-down" : "text-up")}
              >
                {percentText(change)}
              </span>
            )}
          </p>
        )}
        {source !== null && <SourceBadge source={source} />}
      </div>
      {position}
    </header>
  );
}
