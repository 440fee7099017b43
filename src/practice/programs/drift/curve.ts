import { DIRECTION } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { demand } from "./exchange-failures.ts";
import { abs, max, min, toU64, wholeRoot } from "./integers.ts";

/** AMM of a market. The product of its reserves is the square of `sqrtK`; all have nine decimals. */
export type Amm = DriftPerpMarket["amm"];

/** Prices, spreads and the peg have six decimals. */
export const PRICE_PRECISION = 1_000_000n;

/** Reserve units times peg per quote unit. */
const RESERVE_PER_QUOTE = 1_000_000_000n;

const U128_END = 1n << 128n;

/** Returns the price at the reserves, without spread. */
export function reservePrice(amm: Amm): bigint {
  demand(amm.baseAssetReserve > 0n, "MathError");
  const price = (amm.quoteAssetReserve * amm.pegMultiplier) / amm.baseAssetReserve;
  demand(price < 1n << 64n, "BnConversionError");
  return price;
}

/** Returns the AMM's ask price. */
export function askPrice(amm: Amm, reserve: bigint): bigint {
  return (reserve * (PRICE_PRECISION + BigInt(amm.longSpread))) / PRICE_PRECISION;
}

/** Returns the AMM's bid price. */
export function bidPrice(amm: Amm, reserve: bigint): bigint {
  return (reserve * (PRICE_PRECISION - BigInt(amm.shortSpread))) / PRICE_PRECISION;
}

/** Returns the quote and base reserves after `base` was added (positive) or removed (negative). */
export function swapped(amm: Amm, baseReserve: bigint, base: bigint) {
  demand(-base <= baseReserve, "TradeSizeTooLarge");
  const nextBase = baseReserve + base;
  demand(nextBase > 0n, "MathError");
  return { base: nextBase, quote: (amm.sqrtK * amm.sqrtK) / nextBase };
}

function toAsset(reserveChange: bigint, peg: bigint): bigint {
  demand(reserveChange >= 0n, "MathError");
  return (reserveChange * peg) / RESERVE_PER_QUOTE;
}

/**
 * Trades `size` against the curve and moves its reserves. Returns the taker's quote amount and the spread's earnings.
 *
 * A buyer pays one reserve unit and one quote unit more than the curve's price.
 */
export function swapBase(amm: Amm, size: bigint, direction: number) {
  const isLong = direction === DIRECTION.long;
  const [spreadBase, spreadQuote] = isLong
    ? [amm.askBaseAssetReserve, amm.askQuoteAssetReserve]
    : [amm.bidBaseAssetReserve, amm.bidQuoteAssetReserve];
  const base = isLong ? -size : size;
  const withSpread = swapped(amm, spreadBase, base).quote;
  const quote = isLong
    ? toAsset(withSpread - spreadQuote + 1n, amm.pegMultiplier) + 1n
    : toAsset(spreadQuote - withSpread, amm.pegMultiplier);
  const next = swapped(amm, amm.baseAssetReserve, base);
  const change = isLong ? next.quote - amm.quoteAssetReserve : amm.quoteAssetReserve - next.quote;
  const fair = toAsset(change, amm.pegMultiplier) + (isLong ? 1n : 0n);
  amm.baseAssetReserve = next.base;
  amm.quoteAssetReserve = next.quote;
  return { quote: toU64(quote), surplus: toU64(abs(fair - quote)) };
}

function spreadReserves(amm: Amm, direction: number): readonly [base: bigint, quote: bigint] {
  const spread = direction === DIRECTION.long ? amm.longSpread : -amm.shortSpread;
  const withOffset = BigInt(spread + amm.referencePriceOffset);
  const change =
    abs(withOffset) > 1n ? amm.quoteAssetReserve / (PRICE_PRECISION / (withOffset / 2n)) : 0n;
  const quote = amm.quoteAssetReserve + change;
  demand(quote > 0n && quote < U128_END, "MathError");
  return [(amm.sqrtK * amm.sqrtK) / quote, quote];
}

/** Sets the bid and ask reserves from the spreads. */
export function updateSpreadReserves(amm: Amm): void {
  const [askBase, askQuote] = spreadReserves(amm, DIRECTION.long);
  const [bidBase, bidQuote] = spreadReserves(amm, DIRECTION.short);
  amm.askBaseAssetReserve = min(askBase, amm.baseAssetReserve);
  amm.bidBaseAssetReserve = max(bidBase, amm.baseAssetReserve);
  amm.askQuoteAssetReserve = max(askQuote, amm.quoteAssetReserve);
  amm.bidQuoteAssetReserve = min(bidQuote, amm.quoteAssetReserve);
}

/** Sets the spreads of a curve without dynamic adjustment: half the base spread on either side. */
export function updateSpreads(amm: Amm): void {
  if (amm.curveUpdateIntensity !== 0) throw new Error("Practice curves do not adjust themselves");
  const half = Math.floor(amm.baseSpread / 2);
  amm.longSpread = half;
  amm.shortSpread = half;
  amm.referencePriceOffset = 0;
  updateSpreadReserves(amm);
}

/** Returns the size tradable before a price is reached, and the direction towards that price. */
export function sizeToPrice(amm: Amm, price: bigint, direction: number) {
  demand(price > 0n, "InvalidOrderLimitPrice");
  const squared =
    (((amm.sqrtK * amm.sqrtK * PRICE_PRECISION) / price) * amm.pegMultiplier) / PRICE_PRECISION;
  const target = wholeRoot(squared, 2n);
  const isLong = direction === DIRECTION.long;
  const spreadBase = isLong ? amm.askBaseAssetReserve : amm.bidBaseAssetReserve;
  const before = amm.baseSpread > 0 ? spreadBase : amm.baseAssetReserve;
  const size = min(abs(target - before), (1n << 64n) - 1n);
  return { size, direction: target > before ? DIRECTION.short : DIRECTION.long };
}

/** Returns the largest size of one fill: a fraction of the curve, at most half of the side's remaining reserve. */
export function availableLiquidity(amm: Amm, direction: number): bigint {
  demand(amm.maxFillReserveFraction > 0, "MathError");
  const fraction = amm.baseAssetReserve / BigInt(amm.maxFillReserveFraction);
  const onSide =
    direction === DIRECTION.long
      ? max(0n, amm.baseAssetReserve - amm.minBaseAssetReserve) / 2n
      : max(0n, amm.maxBaseAssetReserve - amm.baseAssetReserve) / 2n;
  const most = min(min(fraction, (1n << 64n) - 1n), toU64(onSide));
  return most - (most % amm.orderStepSize);
}
