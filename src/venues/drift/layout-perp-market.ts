import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { accountLayout, reserved } from "../../solana/encoding/anchor.ts";
import { struct } from "../../solana/encoding/in-place.ts";
import { i16, i64, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";
import { ammCodec } from "./layout-amm.ts";
import { poolBalanceCodec } from "./layout-spot-market.ts";

/** Divisor of margin ratios and liability weights: 2,000 of 10,000 is 20 %. */
export const MARGIN_PRECISION = 10_000n;

/** Amounts a market paid to the insurance fund's revenue pool and took from it, with their limits. */
const insuranceClaimCodec = struct([
  ["revenueWithdrawSinceLastSettle", i64],
  ["maxRevenueWithdrawPerPeriod", u64],
  ["quoteMaxInsurance", u64],
  ["quoteSettledInsurance", u64],
  ["lastRevenueWithdrawTs", i64],
]);

/** PerpMarket account, 1,216 bytes. Margin ratios and PnL weights are in ten-thousandths. */
export const perpMarketLayout = accountLayout(
  "PerpMarket",
  struct([
    ["pubkey", addressCodec],
    ["amm", ammCodec],
    ["pnlPool", poolBalanceCodec],
    ["name", reserved(32)],
    ["insuranceClaim", insuranceClaimCodec],
    ["unrealizedPnlMaxImbalance", u64],
    ["expiryTs", i64],
    ["expiryPrice", i64],
    ["nextFillRecordId", u64],
    ["nextFundingRateRecordId", u64],
    ["nextCurveRecordId", u64],
    ["imfFactor", u32],
    ["unrealizedPnlImfFactor", u32],
    ["liquidatorFee", u32],
    ["ifLiquidationFee", u32],
    ["marginRatioInitial", u32],
    ["marginRatioMaintenance", u32],
    ["unrealizedPnlInitialAssetWeight", u32],
    ["unrealizedPnlMaintenanceAssetWeight", u32],
    ["numberOfUsersWithBase", u32],
    ["numberOfUsers", u32],
    ["marketIndex", u16],
    ["status", u8],
    ["contractType", u8],
    ["contractTier", u8],
    ["pausedOperations", u8],
    ["quoteSpotMarketIndex", u16],
    ["feeAdjustment", i16],
    ["tail", reserved(46)],
  ]),
);

/** A perpetual market as the program stores it. */
export type DriftPerpMarket = ReturnType<typeof perpMarketLayout.decode>;
