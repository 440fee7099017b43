import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { accountLayout, reserved } from "../../solana/encoding/anchor.ts";
import { struct } from "../../solana/encoding/in-place.ts";
import { bool, i16, i64, u128, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";

/** Source of a market's price. The quote asset needs no oracle: its price is one. */
export const ORACLE_SOURCE = {
  pyth: 0,
  quoteAsset: 2,
  pythPull: 7,
  pyth1kPull: 8,
  pyth1mPull: 9,
  pythLazer: 12,
  pythLazer1k: 13,
  pythLazer1m: 14,
} as const;

/** `status` of a market. */
export const MARKET_STATUS = {
  initialized: 0,
  active: 1,
  reduceOnly: 6,
  settlement: 7,
  delisted: 8,
} as const;

/** A pool of deposits owned by the program. */
export const poolBalanceCodec = struct([
  ["scaledBalance", u128],
  ["marketIndex", u16],
  ["padding", reserved(6)],
]);

/** Oracle prices the program has recorded, six decimals. */
export const historicalOracleDataCodec = struct([
  ["lastOraclePrice", i64],
  ["lastOracleConf", u64],
  ["lastOracleDelay", i64],
  ["lastOraclePriceTwap", i64],
  ["lastOraclePriceTwap5min", i64],
  ["lastOraclePriceTwapTs", i64],
]);

/** Insurance fund of a spot market. Its factors are shares of the interest in millionths. */
const insuranceFundCodec = struct([
  ["vault", addressCodec],
  ["totalShares", u128],
  ["userShares", u128],
  ["sharesBase", u128],
  ["unstakingPeriod", i64],
  ["lastRevenueSettleTs", i64],
  ["revenueSettlePeriod", i64],
  ["totalFactor", u32],
  ["userFactor", u32],
]);

/** SpotMarket account, 776 bytes. Cumulative interest has ten decimals, scaled balances nine. */
export const spotMarketLayout = accountLayout(
  "SpotMarket",
  struct([
    ["pubkey", addressCodec],
    ["oracle", addressCodec],
    ["mint", addressCodec],
    ["vault", addressCodec],
    ["name", reserved(32)],
    ["historicalOracleData", historicalOracleDataCodec],
    ["historicalIndexData", reserved(40)],
    ["revenuePool", poolBalanceCodec],
    ["spotFeePool", poolBalanceCodec],
    ["insuranceFund", insuranceFundCodec],
    ["totalSpotFee", u128],
    ["depositBalance", u128],
    ["borrowBalance", u128],
    ["cumulativeDepositInterest", u128],
    ["cumulativeBorrowInterest", u128],
    ["totalSocialLoss", u128],
    ["totalQuoteSocialLoss", u128],
    ["withdrawGuardThreshold", u64],
    ["maxTokenDeposits", u64],
    ["depositTokenTwap", u64],
    ["borrowTokenTwap", u64],
    ["utilizationTwap", u64],
    ["lastInterestTs", u64],
    ["lastTwapTs", u64],
    ["expiryTs", i64],
    ["orderStepSize", u64],
    ["orderTickSize", u64],
    ["minOrderSize", u64],
    ["maxPositionSize", u64],
    ["nextFillRecordId", u64],
    ["nextDepositRecordId", u64],
    ["initialAssetWeight", u32],
    ["maintenanceAssetWeight", u32],
    ["initialLiabilityWeight", u32],
    ["maintenanceLiabilityWeight", u32],
    ["imfFactor", u32],
    ["liquidatorFee", u32],
    ["ifLiquidationFee", u32],
    ["optimalUtilization", u32],
    ["optimalBorrowRate", u32],
    ["maxBorrowRate", u32],
    ["decimals", u32],
    ["marketIndex", u16],
    ["ordersEnabled", bool],
    ["oracleSource", u8],
    ["status", u8],
    ["assetTier", u8],
    ["pausedOperations", u8],
    ["ifPausedOperations", u8],
    ["feeAdjustment", i16],
    ["padding", reserved(82)],
  ]),
);

/** A spot market as the program stores it. */
export type DriftSpotMarket = ReturnType<typeof spotMarketLayout.decode>;
