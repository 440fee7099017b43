import { useQuery } from "@tanstack/react-query";
import { formatDecimal, parseDecimal } from "../../domain/amount.ts";
import type { Network } from "../../domain/network.ts";
import { displayDecimal } from "../lib/format.ts";
import { candlesQuery, symbolOf } from "../queries/candles.ts";

/** Places prices are compared with, the quote token's own. */
const PRICE_PLACES = 6;

/** How much more than the quote limit an asset's may be worth, of 100: prices move while a wallet asks. */
const TOLERATED_PERCENT = 110n;

interface LimitWorthProps {
  readonly network: Network;
  readonly limit: { readonly symbol: string; readonly amount: bigint; readonly decimals: number };
  readonly quote: {
    readonly symbol: string;
    readonly decimals: number;
    /** The quote token's own new limit; null when it stays. */
    readonly limit: bigint | null;
  };
}

/** The candles' price as base units; what a float writes with an exponent or with no digits is no price. */
function priceUnits(close: number | undefined): bigint | null {
  const text = /^\d+(?:\.\d{0,6})?/.exec(String(close ?? ""))?.[0] ?? "";
  const price = /e/.test(String(close)) ? null : parseDecimal(text, PRICE_PLACES);
  return price === 0n ? null : price;
}

/** What an asset's limit is worth by the chart's price, or that nothing here can say so. */
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
  const money = (units: bigint, places: number): string =>
    `${displayDecimal(formatDecimal(units, places), 2)} ${quote.symbol}`;
  return (
    <p className={isMore ? "text-xs text-down" : "text-xs text-muted"}>
      Worth {money(worth, quote.decimals)} at the chart's price of {money(price, PRICE_PLACES)}.
      {isMore && ` That is more than the ${quote.symbol} limit: do not approve it unasked.`}
    </p>
  );
}
