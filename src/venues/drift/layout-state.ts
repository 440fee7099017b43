import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { accountLayout, reserved } from "../../solana/encoding/anchor.ts";
import { struct, slots } from "../../solana/encoding/in-place.ts";
import { i64, u128, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";

/**
 * Bits of `exchangeStatus`. `all` is every bit known to build 2.84, which pauses everything; the program fails on
 * further bits.
 */
export const EXCHANGE_STATUS = {
  all: 127,
  depositPaused: 1,
  withdrawPaused: 2,
  ammPaused: 4,
  fillPaused: 8,
  liquidationPaused: 16,
  fundingPaused: 32,
  settlePnlPaused: 64,
  ammImmediateFillPaused: 128,
} as const;

/** Denominator of the program's default fee tiers: 100 of 100,000 is ten basis points. */
export const FEE_DENOMINATOR = 100_000;

const feeTierCodec = struct([
  ["feeNumerator", u32],
  ["feeDenominator", u32],
  ["makerRebateNumerator", u32],
  ["makerRebateDenominator", u32],
  ["referrerRewardNumerator", u32],
  ["referrerRewardDenominator", u32],
  ["refereeFeeNumerator", u32],
  ["refereeFeeDenominator", u32],
]);

const feeStructureCodec = struct([
  ["feeTiers", slots(feeTierCodec, 10)],
  ["rewardNumerator", u32],
  ["rewardDenominator", u32],
  ["timeBasedRewardLowerBound", u128],
  ["referrerRewardEpochUpperBound", u64],
  ["flatFillerFee", u64],
]);

/** State account, 992 bytes: the whole exchange's settings, fees and pause bits. */
export const stateLayout = accountLayout(
  "State",
  struct([
    ["admin", addressCodec],
    ["whitelistMint", addressCodec],
    ["discountMint", addressCodec],
    ["signer", addressCodec],
    ["srmVault", addressCodec],
    ["perpFeeStructure", feeStructureCodec],
    ["spotFeeStructure", feeStructureCodec],
    ["markOraclePercentDivergence", u64],
    ["oracleTwap5minPercentDivergence", u64],
    ["slotsBeforeStaleForAmm", i64],
    ["slotsBeforeStaleForMargin", i64],
    ["confidenceIntervalMaxSize", u64],
    ["tooVolatileRatio", i64],
    ["numberOfAuthorities", u64],
    ["numberOfSubAccounts", u64],
    ["lpCooldownTime", u64],
    ["liquidationMarginBufferRatio", u32],
    ["settlementDuration", u16],
    ["numberOfMarkets", u16],
    ["numberOfSpotMarkets", u16],
    ["signerNonce", u8],
    ["minPerpAuctionDuration", u8],
    ["defaultMarketOrderTimeInForce", u8],
    ["defaultSpotAuctionDuration", u8],
    ["exchangeStatus", u8],
    ["liquidationDuration", u8],
    ["initialPctToLiquidate", u16],
    ["maxNumberOfSubAccounts", u16],
    ["maxInitializeUserFee", u16],
    ["padding", reserved(10)],
  ]),
);

/** The exchange's settings as the program stores them. */
export type DriftState = ReturnType<typeof stateLayout.decode>;
