import {
  getAddressCodec,
  getI16Codec,
  getI64Codec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { accountLayout, reserved } from "../../solana/anchor.ts";
import { ammCodec } from "./layout-amm.ts";
import { poolBalanceCodec } from "./layout-spot-market.ts";

/** Divisor of margin ratios and liability weights: 2,000 of 10,000 is 20 %. */
export const MARGIN_PRECISION = 10_000n;

/** PerpMarket account, 1,216 bytes. Margin ratios and PnL weights are of 10,000. */
export const perpMarketLayout = accountLayout(
  "PerpMarket",
  getStructCodec([
    ["pubkey", getAddressCodec()],
    ["amm", ammCodec],
    ["pnlPool", poolBalanceCodec],
    ["name", reserved(32)],
    ["insuranceClaim", reserved(40)],
    ["unrealizedPnlMaxImbalance", getU64Codec()],
    ["expiryTs", getI64Codec()],
    ["expiryPrice", getI64Codec()],
    ["nextFillRecordId", getU64Codec()],
    ["nextFundingRateRecordId", getU64Codec()],
    ["nextCurveRecordId", getU64Codec()],
    ["imfFactor", getU32Codec()],
    ["unrealizedPnlImfFactor", getU32Codec()],
    ["liquidatorFee", getU32Codec()],
    ["ifLiquidationFee", getU32Codec()],
    ["marginRatioInitial", getU32Codec()],
    ["marginRatioMaintenance", getU32Codec()],
    ["unrealizedPnlInitialAssetWeight", getU32Codec()],
    ["unrealizedPnlMaintenanceAssetWeight", getU32Codec()],
    ["numberOfUsersWithBase", getU32Codec()],
    ["numberOfUsers", getU32Codec()],
    ["marketIndex", getU16Codec()],
    ["status", getU8Codec()],
    ["contractType", getU8Codec()],
    ["contractTier", getU8Codec()],
    ["pausedOperations", getU8Codec()],
    ["quoteSpotMarketIndex", getU16Codec()],
    ["feeAdjustment", getI16Codec()],
    ["tail", reserved(46)],
  ]),
);

/** A perpetual market as the program stores it. */
export type DriftPerpMarket = ReturnType<typeof perpMarketLayout.decode>;
