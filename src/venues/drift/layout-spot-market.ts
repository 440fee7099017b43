import {
  getAddressCodec,
  getBooleanCodec,
  getI16Codec,
  getI64Codec,
  getStructCodec,
  getU128Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { accountLayout, reserved } from "../../solana/anchor.ts";

/** Where a market's price comes from. The quote asset needs no oracle: its price is one. */
export const ORACLE_SOURCE = { pyth: 0, quoteAsset: 2, pythPull: 7, pythLazer: 12 } as const;

/** `status` of a market. */
export const MARKET_STATUS = {
  initialized: 0,
  active: 1,
  reduceOnly: 6,
  settlement: 7,
  delisted: 8,
} as const;

/** A pool of deposits the program holds for itself. */
export const poolBalanceCodec = getStructCodec([
  ["scaledBalance", getU128Codec()],
  ["marketIndex", getU16Codec()],
  ["padding", reserved(6)],
]);

/** Prices the program has witnessed, six decimals. */
export const historicalOracleDataCodec = getStructCodec([
  ["lastOraclePrice", getI64Codec()],
  ["lastOracleConf", getU64Codec()],
  ["lastOracleDelay", getI64Codec()],
  ["lastOraclePriceTwap", getI64Codec()],
  ["lastOraclePriceTwap5min", getI64Codec()],
  ["lastOraclePriceTwapTs", getI64Codec()],
]);

/** SpotMarket account, 776 bytes. Cumulative interest has ten decimals, scaled balances nine. */
export const spotMarketLayout = accountLayout(
  "SpotMarket",
  getStructCodec([
    ["pubkey", getAddressCodec()],
    ["oracle", getAddressCodec()],
    ["mint", getAddressCodec()],
    ["vault", getAddressCodec()],
    ["name", reserved(32)],
    ["historicalOracleData", historicalOracleDataCodec],
    ["historicalIndexData", reserved(40)],
    ["revenuePool", poolBalanceCodec],
    ["spotFeePool", poolBalanceCodec],
    ["insuranceFund", reserved(112)],
    ["totalSpotFee", getU128Codec()],
    ["depositBalance", getU128Codec()],
    ["borrowBalance", getU128Codec()],
    ["cumulativeDepositInterest", getU128Codec()],
    ["cumulativeBorrowInterest", getU128Codec()],
    ["totalSocialLoss", getU128Codec()],
    ["totalQuoteSocialLoss", getU128Codec()],
    ["withdrawGuardThreshold", getU64Codec()],
    ["maxTokenDeposits", getU64Codec()],
    ["depositTokenTwap", getU64Codec()],
    ["borrowTokenTwap", getU64Codec()],
    ["utilizationTwap", getU64Codec()],
    ["lastInterestTs", getU64Codec()],
    ["lastTwapTs", getU64Codec()],
    ["expiryTs", getI64Codec()],
    ["orderStepSize", getU64Codec()],
    ["orderTickSize", getU64Codec()],
    ["minOrderSize", getU64Codec()],
    ["maxPositionSize", getU64Codec()],
    ["nextFillRecordId", getU64Codec()],
    ["nextDepositRecordId", getU64Codec()],
    ["initialAssetWeight", getU32Codec()],
    ["maintenanceAssetWeight", getU32Codec()],
    ["initialLiabilityWeight", getU32Codec()],
    ["maintenanceLiabilityWeight", getU32Codec()],
    ["imfFactor", getU32Codec()],
    ["liquidatorFee", getU32Codec()],
    ["ifLiquidationFee", getU32Codec()],
    ["optimalUtilization", getU32Codec()],
    ["optimalBorrowRate", getU32Codec()],
    ["maxBorrowRate", getU32Codec()],
    ["decimals", getU32Codec()],
    ["marketIndex", getU16Codec()],
    ["ordersEnabled", getBooleanCodec()],
    ["oracleSource", getU8Codec()],
    ["status", getU8Codec()],
    ["assetTier", getU8Codec()],
    ["pausedOperations", getU8Codec()],
    ["ifPausedOperations", getU8Codec()],
    ["feeAdjustment", getI16Codec()],
    ["padding", reserved(82)],
  ]),
);

/** A spot market as the program stores it. */
export type DriftSpotMarket = ReturnType<typeof spotMarketLayout.decode>;
