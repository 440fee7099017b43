import {
  getAddressCodec,
  getI64Codec,
  getI128Codec,
  getStructCodec,
  getU16Codec,
} from "@solana/kit";
import type { Address } from "@solana/kit";
import { anchorDiscriminator, withDiscriminator } from "../../../solana/encoding/anchor.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftPerpPosition, DriftUser } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { abs } from "./integers.ts";
import { addQuoteAndBreakEven } from "./position-changes.ts";

/** Product of funding rate and base units per quote unit. */
const FUNDING_PRECISION = 1_000_000_000_000n;

const fundingPaymentRecord = withDiscriminator(
  anchorDiscriminator("event", "FundingPaymentRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["userAuthority", getAddressCodec()],
    ["user", getAddressCodec()],
    ["marketIndex", getU16Codec()],
    ["fundingPayment", getI64Codec()],
    ["baseAssetAmount", getI64Codec()],
    ["userLastCumulativeFunding", getI64Codec()],
    ["ammCumulativeFundingLong", getI128Codec()],
    ["ammCumulativeFundingShort", getI128Codec()],
  ]),
);

function rateOf(position: DriftPerpPosition, { amm }: DriftPerpMarket): bigint {
  return position.baseAssetAmount > 0n
    ? amm.cumulativeFundingRateLong
    : amm.cumulativeFundingRateShort;
}

/** Returns a position's funding in quote units: positive when received, negative when owed. */
export function fundingPayment(position: DriftPerpPosition, market: DriftPerpMarket): bigint {
  const base = position.baseAssetAmount;
  const change = rateOf(position, market) - position.lastCumulativeFundingRate;
  // The program truncates to billionths of a dollar first, then to quote units
  const size = (abs(change) * abs(base)) / FUNDING_PRECISION;
  return change > 0n === base > 0n ? -size : size;
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
  context.logData(
    new Uint8Array(
      fundingPaymentRecord.encode({
        ts: context.time.unixTime,
        userAuthority: user.authority,
        user: address,
        marketIndex: position.marketIndex,
        fundingPayment: payment,
        baseAssetAmount: position.baseAssetAmount,
        userLastCumulativeFunding: position.lastCumulativeFundingRate,
        ammCumulativeFundingLong: market.amm.cumulativeFundingRateLong,
        ammCumulativeFundingShort: market.amm.cumulativeFundingRateShort,
      }),
    ),
  );
  position.lastCumulativeFundingRate = rate;
  addQuoteAndBreakEven(position, market, payment);
  market.amm.netUnsettledFundingPnl -= payment;
}
