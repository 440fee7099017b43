import type { Address } from "@solana/kit";
import { anchorStruct } from "../../../solana/encoding/anchor.ts";
import { i128, i64 } from "../../../solana/number-codecs.ts";
import { fundingHead } from "../../../venues/drift/book-events.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftPerpPosition, DriftUser } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { emit } from "./account-events.ts";
import { abs } from "./integers.ts";
import { addQuoteAndBreakEven } from "./position-changes.ts";

/** Product of funding rate and base units per quote unit. */
export const FUNDING_PRECISION = 1_000_000_000_000n;

const fundingPaymentRecord = anchorStruct("event", "FundingPaymentRecord", [
  ...fundingHead,
  ["baseAssetAmount", i64],
  ["userLastCumulativeFunding", i64],
  ["ammCumulativeFundingLong", i128],
  ["ammCumulativeFundingShort", i128],
]);

/** Returns the payment on base units for a change of the funding rate, in quote units: positive when received. */
export function paymentFor(change: bigint, base: bigint): bigint {
  // The program truncates to billionths of a dollar first, then to quote units
  const size = (abs(change) * abs(base)) / FUNDING_PRECISION;
  return change > 0n === base > 0n ? -size : size;
}

function rateOf(position: DriftPerpPosition, { amm }: DriftPerpMarket): bigint {
  return position.baseAssetAmount > 0n
    ? amm.cumulativeFundingRateLong
    : amm.cumulativeFundingRateShort;
}

/** Returns a position's funding in quote units: positive when received, negative when owed. */
export function fundingPayment(position: DriftPerpPosition, market: DriftPerpMarket): bigint {
  const change = rateOf(position, market) - position.lastCumulativeFundingRate;
  return paymentFor(change, position.baseAssetAmount);
}

/** Settles a position's funding since its last payment. */
export function payFunding(
  context: InstructionContext,
  address: Address,
  user: DriftUser,
  position: DriftPerpPosition,
  market: DriftPerpMarket,
): void {
  const rate = rateOf(position, market);
  if (position.baseAssetAmount === 0n || rate === position.lastCumulativeFundingRate) return;
  const payment = fundingPayment(position, market);
  user.cumulativePerpFunding += payment;
  emit(context, fundingPaymentRecord, {
    userAuthority: user.authority,
    user: address,
    marketIndex: position.marketIndex,
    fundingPayment: payment,
    baseAssetAmount: position.baseAssetAmount,
    userLastCumulativeFunding: position.lastCumulativeFundingRate,
    ammCumulativeFundingLong: market.amm.cumulativeFundingRateLong,
    ammCumulativeFundingShort: market.amm.cumulativeFundingRateShort,
  });
  position.lastCumulativeFundingRate = rate;
  addQuoteAndBreakEven(position, market, payment);
  market.amm.netUnsettledFundingPnl -= payment;
}
