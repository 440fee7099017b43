import { useQuery } from "@tanstack/react-query";
import { formatDecimal, parseDecimal } from "../../domain/amount.ts";
import type { Network } from "../../domain/network.ts";
import { displayDecimal } from "../lib/format.ts";
import { candlesQuery, symbolOf } from "../queries/candles.ts";

/** Decimals of compared prices, those of the quote token. */
const PRICE_PLACES = 6;

/** Highest accepted value of an asset's limit in percent of the quote limit; prices move during the approval. */
const TOLERATED_PERCENT = 110n;

interface LimitWorthProps {
  readonly network: Network;
  readonly limit: { readonly symbol: string; readonly amount: bigint; readonly decimals: number };
  readonly quote: {
    readonly symbol: string;
    readonly decimals: number;
    /** New limit of the quote token; null when unchanged. */
    readonly limit: bigint | null;
  };
}

/** Returns a candle's price in base units; null when it is not plain decimal digits. */
function priceUnits(close: number | undefined): bigint | null {
  const text = /^\d+(?:\.\d{0,6})?/.exec(String(close ?? ""))?.[0] ?? "";
  const price = /e/.test(String(close)) ? null : parseDecimal(text, PRICE_PLACES);
  return price === 0n ? null : price;
}

/** Shows the value of an asset's limit at the chart's price, or that it is unknown. */
export function LimitWorth({ network, limit, quote }: LimitWorthProps) {
  const { symbol, amount, decimals } = limit;
  const candles = useQuery(
    candlesQuery({ network, symbol: symbolOf(symbol), interval: "1m", limit: 1 }),
  );
  if (candles.isLoading) {
    return <p className="text-xs text-muted">Reading the price of {symbol}…</p>;
  }
  const price = candles.isError ? null : priceUnits(candles.data?.candles.at(-1)?.close);
  if (price === null) {
    return (
      <p className="text-xs text-warn">
        Worth not checked: this page has no price of {symbol}. Compare the amount yourself.
      </p>
    );
  }
  const worth =
    (amount * price * 10n ** BigInt(quote.decimals)) / 10n ** BigInt(decimals + PRICE_PLACES);
  const isMore = quote.limit !== null && worth * 100n > quote.limit * TOLERATED_PERCENT;
  const sum = quote.limit === null ? null : worth + quote.limit;
  const money = (units: bigint, places: number): string =>
    `${displayDecimal(formatDecimal(units, places), 2)} ${quote.symbol}`;
  return (
    <p className={isMore ? "text-xs text-down" : "text-xs text-muted"}>
      Worth {money(worth, quote.decimals)} at the chart's price of {money(price, PRICE_PLACES)}.
      {sum !== null && ` Both limits together: ${money(sum, quote.decimals)} a day.`}
      {isMore && ` That is more than the ${quote.symbol} limit: do not approve it unasked.`}
    </p>
  );
}
