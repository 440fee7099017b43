import { DIRECTION, type OrderParams } from "../../../venues/drift/instruction-arguments.ts";
import {
  MARGIN_PRECISION,
  type DriftPerpMarket,
} from "../../../venues/drift/layout-perp-market.ts";
import type { DriftPerpPosition, DriftUser } from "../../../venues/drift/layout-user.ts";
import { PRICE_PRECISION } from "./curve.ts";
import type { ExchangeMaps } from "./exchange-maps.ts";
import { abs, max, min, toU64 } from "./integers.ts";
import { judgeMargin, marginRatio, OPEN_ORDER_MARGIN, worstCaseBase } from "./margin-check.ts";

/** Order size that stands for the largest size the collateral allows. */
const AS_MUCH_AS_POSSIBLE = 2n ** 64n - 1n;

/** Base units per quote unit. */
const BASE_PER_QUOTE = 1_000n;

const MOST_ROUNDS = 6;

/** Returns the order size that reverses the position's worst case. */
function sizeToFlip(position: DriftPerpPosition, worst: bigint, direction: number): bigint {
  const held = position.baseAssetAmount;
  if (worst < 0n && direction === DIRECTION.long) return abs(-worst - (held + position.openBids));
  if (worst > 0n && direction === DIRECTION.short) return abs(-worst - (held + position.openAsks));
  return 0n;
}

function affordableSize(
  user: DriftUser,
  market: DriftPerpMarket,
  maps: ExchangeMaps,
  free: bigint,
  worst: bigint,
): bigint {
  const { price } = maps.oracle(market.amm.oracle);
  const quotePrice = maps.spotPrice(maps.spot(market.quoteSpotMarketIndex), true).most;
  const ratioFor = (size: bigint) =>
    max(marginRatio(market, size, "initial"), BigInt(user.maxMarginRatio));
  const first = ratioFor(abs(worst));
  let [ratio, size] = [first, 0n];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const notional = ((free - OPEN_ORDER_MARGIN) * BASE_PER_QUOTE * MARGIN_PRECISION) / ratio;
    size = toU64((((notional * PRICE_PRECISION) / price) * PRICE_PRECISION) / quotePrice);
    ratio = ratioFor(abs(worst) + size);
    if (ratio === first) break;
  }
  return size;
}

/**
 * Returns an order's size rounded to the market's step; the largest u64 requests the largest size the collateral
 * allows.
 */
export function sizeOf(
  params: OrderParams,
  user: DriftUser,
  position: DriftPerpPosition,
  market: DriftPerpMarket,
  maps: ExchangeMaps,
): bigint {
  const onStep = (size: bigint) => size - (size % market.amm.orderStepSize);
  if (params.baseAssetAmount !== AS_MUCH_AS_POSSIBLE) return onStep(params.baseAssetAmount);
  const { collateral, requirement } = judgeMargin(user, maps, "initial", true);
  const free = collateral - requirement;
  const worst = worstCaseBase(position);
  const flip = sizeToFlip(position, worst, params.direction);
  if (free <= 0n) {
    return onStep(min(flip, max(0n, abs(position.baseAssetAmount * 2n) - 1n)));
  }
  return onStep(toU64(affordableSize(user, market, maps, free, worst) + flip));
}
