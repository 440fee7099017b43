import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDecimal, formatFixed, parseDecimal } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import type { Network } from "../../domain/network.ts";
import type { Effect, WorstPrice } from "../../venues/effect.ts";
import type { Unvouched } from "./approval-phase.ts";
import { clock } from "../lib/clock.ts";
import { displayDecimal, sizeDecimals, groupThousands } from "../lib/format.ts";
import { symbolOf } from "../../venues/profiles.ts";
import { type CandleAnswer, candlesQuery } from "../queries/candles.ts";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

/** Highest accepted value of an asset's limit in percent of the quote limit; prices move during the approval. */
const TOLERATED_PERCENT = 110n;

/** Oldest candle that counts as the chart's price, in seconds. */
const MAX_PRICE_AGE_S = 600;

const BPS = 10_000n;

/** Distance from the chart's price, to the owner's disadvantage, that is said; in basis points. */
const SAID_BPS = 200n;

/** Distance beyond which the owner has to type a word; in basis points. */
const REFUSED_BPS = 1_000n;

const WORD = "ANYWAY";

/** The token that prices are in. */
export interface QuoteToken {
  readonly symbol: string;
  readonly decimals: number;
}

/** Returns a candle's price in base units; null when it is not plain decimal digits. */
function priceUnits(close: number | undefined): bigint | null {
  const text = /^\d+(?:\.\d{0,6})?/.exec(String(close ?? ""))?.[0] ?? "";
  const price = /e/.test(String(close)) ? null : parseDecimal(text, PRICE_DECIMALS);
  return price === 0n ? null : price;
}

const lastCandle = (network: Network, asset: string) =>
  candlesQuery({ network, symbol: symbolOf(asset), interval: "1m", limit: 1 });

/** The chart's price of one asset in base units; null without a recent one. */
type ChartPrice =
  | { readonly isReading: true }
  | { readonly isReading: false; price: bigint | null };

function chartPriceOf(read: {
  readonly isLoading: boolean;
  readonly isError: boolean;
  readonly data: CandleAnswer | undefined;
}): ChartPrice {
  if (read.isLoading) return { isReading: true };
  const candle = read.isError ? undefined : read.data?.candles.at(-1);
  const isOld = candle !== undefined && clock.now() / 1_000 - candle.time > MAX_PRICE_AGE_S;
  return { isReading: false, price: isOld ? null : priceUnits(candle?.close) };
}

const priceText = (
  units: bigint,
  { symbol }: QuoteToken,
  roundsUp?: (isNegative: boolean, rest: string) => boolean,
): string => {
  const text = formatDecimal(units, PRICE_DECIMALS);
  return `${displayDecimal(text, sizeDecimals(text), roundsUp)} ${symbol}`;
};

interface LimitWorthProps {
  readonly network: Network;
  readonly limit: { readonly symbol: string; readonly amount: bigint; readonly decimals: number };
  readonly quote: QuoteToken;
  /** New limit of the quote token; null when unchanged. */
  readonly quoteLimit: bigint | null;
}

/** Shows the value of an asset's limit at the chart's price, or that it is unknown. */
export function LimitWorth({ network, limit, quote, quoteLimit }: LimitWorthProps) {
  const { symbol, amount, decimals } = limit;
  const chart = chartPriceOf(useQuery(lastCandle(network, symbol)));
  if (chart.isReading) {
    return <p className="text-xs text-muted">Reading the price of {symbol}…</p>;
  }
  const { price } = chart;
  if (price === null) {
    return (
      <p className="text-xs text-warn">
        Worth not checked: this page has no price of {symbol}. Compare the amount yourself.
      </p>
    );
  }
  const worth =
    (amount * price * 10n ** BigInt(quote.decimals)) / 10n ** BigInt(decimals + PRICE_DECIMALS);
  const isMore = quoteLimit !== null && worth * 100n > quoteLimit * TOLERATED_PERCENT;
  const sum = quoteLimit === null ? null : worth + quoteLimit;
  const money = (units: bigint): string =>
    `${displayDecimal(formatDecimal(units, quote.decimals), 2)} ${quote.symbol}`;
  return (
    <p className={isMore ? "text-xs text-down" : "text-xs text-muted"}>
      Worth {money(worth)} at the chart's price of {priceText(price, quote)}.
      {sum !== null && ` Both limits together: ${money(sum)} a day.`}
      {isMore && ` That is more than the ${quote.symbol} limit: do not approve it unasked.`}
    </p>
  );
}

/** Returns the worst prices of the effects that trade. */
const pricedOf = (effects: readonly Effect[]): readonly WorstPrice[] =>
  effects.flatMap((effect) => ("worst" in effect ? [effect.worst] : []));

/** Returns how much worse than the chart's price a trade may end, in basis points; negative when better. */
const distanceBps = ({ side, price }: WorstPrice, chart: bigint): bigint =>
  ((side === "sell" ? chart - price : price - chart) * BPS) / chart;

interface WorstPriceLineProps {
  readonly network: Network;
  readonly worst: WorstPrice;
  readonly quote: QuoteToken;
}

/** Says how far a trade's worst price is from the chart's; nothing while they are close. */
export function WorstPriceLine({ network, worst, quote }: WorstPriceLineProps) {
  const { asset, side } = worst;
  const chart = chartPriceOf(useQuery(lastCandle(network, asset)));
  if (chart.isReading) {
    return <p className="text-xs text-muted">Reading the price of {asset}…</p>;
  }
  const { price } = chart;
  const toWorse = (_: boolean, rest: string) => side === "buy" && /[1-9]/.test(rest);
  const atWorst = `At worst ${priceText(worst.price, quote, toWorse)} for one ${asset}`;
  if (price === null) {
    return (
      <p className="text-xs text-down">
        {atWorst}. This page has no recent price of {asset} to compare it with.
      </p>
    );
  }
  const distance = distanceBps(worst, price);
  if (distance <= SAID_BPS) return null;
  return (
    <p className={distance > REFUSED_BPS ? "text-xs text-down" : "text-xs text-warn"}>
      {atWorst}: {formatFixed(distance, 2, 1)}% {side === "sell" ? "below" : "above"} the chart's
      price of {priceText(price, quote)}.
    </p>
  );
}

/** Whether an owner may approve a transaction. */
export interface ApprovalGate {
  /** True until every price was compared and, where something has to be looked at, the word was typed. */
  readonly isRefused: boolean;
  /** What the owner has to look at; empty where no word is needed. */
  readonly doubts: readonly Doubt[];
  /** What was typed of the word. */
  readonly typed: string;
  readonly type: (text: string) => void;
}

type Doubt = "price" | Unvouched;

const HINTS: Readonly<Record<Doubt, string>> = {
  price: "The price is more than 10% worse than the chart's, or there is none to compare with.",
  vault:
    "This browser did not see this vault being created, and no text that you signed names it. Compare its address with the one you know.",
  "trading key":
    "No text that you signed names this trading key. Whoever has it trades with what is in the vault.",
};

const ALL_KNOWN: readonly Unvouched[] = [];

/**
 * Compares what a transaction trades with the chart's prices, and its accounts with what is known of them; each new
 * transaction has to be confirmed again.
 */
export function useApprovalGate(
  effects: readonly Effect[],
  network: Network,
  unvouched = ALL_KNOWN,
): ApprovalGate {
  const priced = pricedOf(effects);
  const [answer, setAnswer] = useState({ effects, text: "" });
  // One query per asset: TanStack Query warns of a key that is there twice
  const assets = [...new Set(priced.map(({ asset }) => asset))];
  const reads = useQueries({ queries: assets.map((asset) => lastCandle(network, asset)) });
  const charts = new Map(assets.map((asset, at) => [asset, chartPriceOf(reads[at] ?? UNREAD)]));
  const isReading = [...charts.values()].some((chart) => chart.isReading);
  const isFar = priced.some((worst) => {
    const chart = charts.get(worst.asset);
    if (chart === undefined || chart.isReading) return false;
    return chart.price === null || distanceBps(worst, chart.price) > REFUSED_BPS;
  });
  const doubts: readonly Doubt[] = [...(isFar ? ["price" as const] : []), ...unvouched];
  const typed = answer.effects === effects ? answer.text : "";
  return {
    isRefused: isReading || (doubts.length > 0 && typed.trim() !== WORD),
    doubts,
    typed,
    type: (text) => setAnswer({ effects, text }),
  };
}

const UNREAD = { isLoading: true, isError: false, data: undefined };

/** Field for the word that approves what the page cannot vouch for. */
export function ApprovalWord({ gate: { doubts, typed, type } }: { readonly gate: ApprovalGate }) {
  if (doubts.length === 0) return null;
  return (
    <Field
      label={`Type ${WORD} to approve this ${doubts.join(" and ")}`}
      hint={`${doubts.map((doubt) => HINTS[doubt]).join(" ")} Cancel, unless you expect that.`}
    >
      <Input value={typed} onChange={(event) => type(event.target.value)} />
    </Field>
  );
}

const SOL_DECIMALS = 9;

/** Returns lamports as SOL with its unit. */
export function solText(lamports: bigint): string {
  return tokenText(lamports, SOL_DECIMALS, "SOL");
}

/** Returns base units as decimal text with thousands separators and its unit. */
export function tokenText(units: bigint, decimals: number, symbol: string): string {
  return `${groupThousands(formatDecimal(units, decimals))} ${symbol}`;
}
