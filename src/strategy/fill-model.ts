import { mulDiv } from "../domain/amount.ts";
import { type Market, PRICE_DECIMALS } from "../domain/market.ts";
import type { Side } from "../domain/position.ts";
import type { PublishedFunding, SimulatedFill, SimulationCosts } from "./simulation.ts";

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

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Returns the costs of an order at a time: half the spread is the venue's, or what was measured in that hour if more. */
export function costsAt(costs: SimulationCosts, atMs: number): SimulationCosts {
  const hour = Math.floor(atMs / HOUR_MS) % DAY_HOURS;
  const measured = costs.halfSpreadPpmByHour?.[hour] ?? 0;
  return measured > costs.halfSpreadPpm ? { ...costs, halfSpreadPpm: measured } : costs;
}

/** Returns the first place whose time is at or after another one. */
function placeOf(times: readonly number[], atMs: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? 0) < atMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Funding of a span: the share that published rates add up to, and the time that none covers. */
interface FundingOver {
  /** Share of the position's value that a long pays. */
  readonly share: number;
  readonly uncoveredMs: number;
}

/**
 * Returns the funding over spans. A published rate accrues evenly over the time since the one before it; the first one
 * over as long a time as the second.
 */
export function fundingOver(
  published: PublishedFunding | undefined,
): (fromMs: number, toMs: number) => FundingOver {
  const { atMs = [], ppm = [] } = published ?? {};
  const [first = 0, second = 0] = atMs;
  if (atMs.length < 2) return (fromMs, toMs) => ({ share: 0, uncoveredMs: toMs - fromMs });
  const starts = [2 * first - second, ...atMs];
  return (fromMs, toMs) => {
    let [share, coveredMs] = [0, 0];
    for (let at = placeOf(atMs, fromMs); at < atMs.length; at += 1) {
      const [start = 0, end = 0] = [starts[at], atMs[at]];
      if (start >= toMs) break;
      const withinMs = Math.min(end, toMs) - Math.max(start, fromMs);
      share += ((ppm[at] ?? 0) / Number(MILLION)) * (withinMs / (end - start));
      coveredMs += withinMs;
    }
    return { share, uncoveredMs: toMs - fromMs - coveredMs };
  };
}
