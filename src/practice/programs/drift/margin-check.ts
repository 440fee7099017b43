import {
  BASE_PRECISION,
  type MarginKind,
  marginRatio,
  MAX_GAIN_FOR_INITIAL,
  OPEN_ORDER_MARGIN,
  pnlWeight,
} from "../../../venues/drift/margin.ts";
import { tokenAmount } from "../../../venues/drift/balance.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { MARGIN_PRECISION } from "../../../venues/drift/layout-perp-market.ts";
import { MARKET_STATUS } from "../../../venues/drift/layout-spot-market.ts";
import type { DriftState } from "../../../venues/drift/layout-state.ts";
import type { DriftPerpPosition, DriftUser } from "../../../venues/drift/layout-user.ts";
import { PRICE_PRECISION } from "./curve.ts";
import { demand } from "./exchange-failures.ts";
import type { ExchangeMaps, SpotPrice } from "./exchange-maps.ts";
import { fundingPayment } from "./funding-payments.ts";
import { abs, fitsI64, max, min } from "./integers.ts";
import { isAvailable } from "./position-changes.ts";

function floorDivide(value: bigint, divisor: bigint): bigint {
  const cut = value / divisor;
  return value < 0n && value % divisor !== 0n ? cut - 1n : cut;
}

/** Returns the larger position, by magnitude, after a fill of all its bids or of all its asks. */
export function worstCaseBase(position: DriftPerpPosition): bigint {
  const withBids = fitsI64(position.baseAssetAmount + position.openBids);
  const withAsks = fitsI64(position.baseAssetAmount + position.openAsks);
  return abs(withBids) > abs(withAsks) ? withBids : withAsks;
}

function judgePosition(
  position: DriftPerpPosition,
  market: DriftPerpMarket,
  price: bigint,
  quote: SpotPrice,
  kind: MarginKind,
  ownRatio: bigint,
) {
  const isSettling = market.status === MARKET_STATUS.settlement;
  const valued = isSettling ? market.expiryPrice : price;
  const value = (position.baseAssetAmount * max(0n, valued)) / BASE_PRECISION;
  const pnl = value + position.quoteAssetAmount + fundingPayment(position, market);
  const worst = abs(worstCaseBase(position));
  const worstValue = (((worst * max(0n, valued)) / BASE_PRECISION) * quote.most) / PRICE_PRECISION;
  const ratio = max(ownRatio, marginRatio(market, worst, kind));
  const sized = isSettling ? 0n : (worstValue * ratio) / MARGIN_PRECISION;
  const weight = pnlWeight(market, pnl, kind);
  const weighted = weight === MARGIN_PRECISION ? pnl : (pnl * weight) / MARGIN_PRECISION;
  const quotePrice = pnl > 0n ? quote.least : pnl < 0n ? quote.most : quote.current;
  const priced = (weighted * quotePrice) / PRICE_PRECISION;
  return {
    liability: worstValue,
    requirement: sized + BigInt(position.openOrders) * OPEN_ORDER_MARGIN,
    collateral: kind === "initial" ? min(priced, MAX_GAIN_FOR_INITIAL) : priced,
  };
}

/** Collateral and margin requirement of an account, in quote units. */
export interface MarginJudgement {
  readonly collateral: bigint;
  readonly requirement: bigint;
  /** Worst-case value of positions, and of borrowed tokens. */
  readonly liability: bigint;
}

/**
 * Computes an account's collateral and margin requirement. `isStrict` uses the worse of the quote asset's price and its
 * average. Refuses when a market or oracle of the account is missing.
 */
export function judgeMargin(
  user: DriftUser,
  maps: ExchangeMaps,
  kind: MarginKind,
  isStrict: boolean,
): MarginJudgement {
  let [collateral, requirement, liability] = [0n, 0n, 0n];
  for (const slot of user.spotPositions) {
    if (slot.scaledBalance === 0n && slot.openOrders === 0) continue;
    const market = maps.spot(slot.marketIndex);
    const price = maps.spotPrice(market, isStrict);
    demand(price.least > 0n, "InvalidOracle");
    const tokens = tokenAmount(slot, market);
    // The program refuses to evaluate an account that holds less than one unit
    demand(
      tokens !== 0n || slot.scaledBalance === 0n,
      "InvalidMarginRatio",
      `spot_position.scaled_balance=${slot.scaledBalance} when token_amount=0`,
    );
    const rate = tokens > 0n ? price.least : price.most;
    const value = floorDivide(tokens * rate, 10n ** BigInt(market.decimals));
    if (value >= 0n) collateral += value;
    else [requirement, liability] = [requirement - value, liability - value];
  }
  const ownRatio = kind === "initial" ? BigInt(user.maxMarginRatio) : 0n;
  for (const position of user.perpPositions) {
    if (isAvailable(position)) continue;
    const market = maps.perp(position.marketIndex);
    const quote = maps.spotPrice(maps.spot(market.quoteSpotMarketIndex), isStrict);
    maps.validity(market);
    const price = maps.oracle(market.amm.oracle).price;
    const judged = judgePosition(position, market, price, quote, kind, ownRatio);
    requirement += judged.requirement;
    collateral += judged.collateral;
    liability += judged.liability;
  }
  return { collateral, requirement, liability };
}

/** Refuses with `InsufficientCollateral` unless collateral covers the margin. */
export function demandMargin(
  user: DriftUser,
  maps: ExchangeMaps,
  kind: MarginKind,
  isStrict: boolean,
): void {
  const { collateral, requirement } = judgeMargin(user, maps, kind, isStrict);
  demand(collateral >= requirement, "InsufficientCollateral");
}

/** Bits of a user's `status`. */
export const USER_STATUS = { beingLiquidated: 1, bankrupt: 2, reduceOnly: 4 } as const;

/** Returns whether a user is in liquidation; ends it where the collateral is enough again. */
export function isBeingLiquidated(user: DriftUser, maps: ExchangeMaps, state: DriftState): boolean {
  const inLiquidation = USER_STATUS.beingLiquidated | USER_STATUS.bankrupt;
  if ((user.status & inLiquidation) === 0) return false;
  const { collateral, requirement, liability } = judgeMargin(user, maps, "maintenance", false);
  const buffer = BigInt(state.liquidationMarginBufferRatio);
  // Without a buffer the program has nothing to hold the collateral against
  const needed = buffer === 0n ? 0n : requirement + (liability * buffer) / MARGIN_PRECISION;
  if (collateral < needed) return true;
  user.status &= ~inLiquidation;
  user.liquidationMarginFreed = 0n;
  return false;
}
