import { mulDiv } from "../domain/amount.ts";
import { type Market, PRICE_DECIMALS } from "../domain/market.ts";
import type { Side } from "../domain/position.ts";
import type { SimulatedFill, SimulationCosts } from "./simulation.ts";

const MILLION = 1_000_000n;

/** Order size that the price impact refers to, in whole quote units. */
const IMPACT_UNIT = 10_000n;

/** The market an order meets at the open of a bar. */
export interface MarketAtOpen {
  readonly market: Pick<Market, "baseDecimals">;
  readonly quoteDecimals: number;
  /** Mid price, six decimals. */
  readonly price: bigint;
  readonly costs: SimulationCosts;
}

/** Returns a floating-point price with six decimals; null for an invalid price. */
export function priceUnits(price: number): bigint | null {
  const units = Math.round(price * 10 ** PRICE_DECIMALS);
  return units > 0 && Number.isSafeInteger(units) ? BigInt(units) : null;
}

/**
 * Returns the fill of a market order: half the spread and the order's own impact worsen the price, and the fee is
 * added. Every rounding is against the order.
 */
export function fillOf(
  order: { readonly side: Side; readonly reduceOnly: boolean; readonly baseSize: bigint },
  { market, quoteDecimals, price, costs }: MarketAtOpen,
): SimulatedFill {
  const perWhole = 10n ** BigInt(market.baseDecimals + PRICE_DECIMALS);
  const quoteScale = 10n ** BigInt(quoteDecimals);
  const isBuy = order.side === "long";
  const quoteAt = (at: bigint) =>
    mulDiv(order.baseSize * quoteScale, at, perWhole, isBuy ? "up" : "down");
  const middle = quoteAt(price);
  const halfSpread = mulDiv(price, BigInt(costs.halfSpreadPpm), MILLION, "up");
  const impactOfUnit = mulDiv(price, BigInt(costs.impactPpm), MILLION, "up");
  const impact = mulDiv(impactOfUnit, middle, IMPACT_UNIT * quoteScale, "up");
  const moved = isBuy ? price + halfSpread + impact : price - halfSpread - impact;
  const worst = moved > 0n ? moved : 1n;
  const quoteSize = quoteAt(worst);
  const total = isBuy ? quoteSize - middle : middle - quoteSize;
  const afterSpread = quoteAt(isBuy ? price + halfSpread : price - halfSpread);
  const spreadCost = isBuy ? afterSpread - middle : middle - afterSpread;
  return {
    side: order.side,
    reduceOnly: order.reduceOnly,
    price: worst,
    quoteSize,
    fee: mulDiv(quoteSize, BigInt(costs.feePpm), MILLION, "up"),
    spreadCost,
    impactCost: total - spreadCost,
  };
}

/** Returns the fee of an order that rested at the venue and was triggered: 0.01 on perpetuals, 0 where none rests. */
export const triggerFeeOf = ({ kind }: Pick<Market, "kind">, quoteDecimals: number): bigint =>
  kind === "perpetual" ? 10n ** BigInt(quoteDecimals) / 100n : 0n;

/** Returns whether a fill is within an entry's slippage limit, measured from the price it was sized at. */
export function isWithinSlippage(
  side: Side,
  price: bigint,
  referencePrice: bigint,
  slippageBps: number,
): boolean {
  const tolerance = BigInt(slippageBps);
  return side === "long"
    ? price * 10_000n <= referencePrice * (10_000n + tolerance)
    : price * 10_000n >= referencePrice * (10_000n - tolerance);
}
