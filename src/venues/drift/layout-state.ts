import {
  getAddressCodec,
  getArrayCodec,
  getI64Codec,
  getStructCodec,
  getU128Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { accountLayout, reserved } from "../../solana/anchor.ts";

/** Bits of `exchangeStatus`; all bits set means everything is paused. */
export const EXCHANGE_STATUS = {
  depositPaused: 1,
  withdrawPaused: 2,
  ammPaused: 4,
  fillPaused: 8,
  liquidationPaused: 16,
  fundingPaused: 32,
  settlePnlPaused: 64,
  ammImmediateFillPaused: 128,
} as const;

/** Divisor the program's default fee tiers use: 100 of 100,000 is ten basis points. */
export const FEE_DENOMINATOR = 100_000;

const feeTierCodec = getStructCodec([
  ["feeNumerator", getU32Codec()],
  ["feeDenominator", getU32Codec()],
  ["makerRebateNumerator", getU32Codec()],
  ["makerRebateDenominator", getU32Codec()],
  ["referrerRewardNumerator", getU32Codec()],
  ["referrerRewardDenominator", getU32Codec()],
  ["refereeFeeNumerator", getU32Codec()],
  ["refereeFeeDenominator", getU32Codec()],
]);

const feeStructureCodec = getStructCodec([
  ["feeTiers", getArrayCodec(feeTierCodec, { size: 10 })],
  ["rewardNumerator", getU32Codec()],
  ["rewardDenominator", getU32Codec()],
  ["timeBasedRewardLowerBound", getU128Codec()],
  ["referrerRewardEpochUpperBound", getU64Codec()],
  ["flatFillerFee", getU64Codec()],
]);

/** State account, 992 bytes: the whole exchange's settings, fees and pause bits. */
export const stateLayout = accountLayout(
  "State",
  getStructCodec([
    ["admin", getAddressCodec()],
    ["whitelistMint", getAddressCodec()],
    ["discountMint", getAddressCodec()],
    ["signer", getAddressCodec()],
    ["srmVault", getAddressCodec()],
    ["perpFeeStructure", feeStructureCodec],
    ["spotFeeStructure", feeStructureCodec],
    ["markOraclePercentDivergence", getU64Codec()],
    ["oracleTwap5minPercentDivergence", getU64Codec()],
    ["slotsBeforeStaleForAmm", getI64Codec()],
    ["slotsBeforeStaleForMargin", getI64Codec()],
    ["confidenceIntervalMaxSize", getU64Codec()],
    ["tooVolatileRatio", getI64Codec()],
    ["numberOfAuthorities", getU64Codec()],
    ["numberOfSubAccounts", getU64Codec()],
    ["lpCooldownTime", getU64Codec()],
    ["liquidationMarginBufferRatio", getU32Codec()],
    ["settlementDuration", getU16Codec()],
    ["numberOfMarkets", getU16Codec()],
    ["numberOfSpotMarkets", getU16Codec()],
    ["signerNonce", getU8Codec()],
    ["minPerpAuctionDuration", getU8Codec()],
    ["defaultMarketOrderTimeInForce", getU8Codec()],
    ["defaultSpotAuctionDuration", getU8Codec()],
    ["exchangeStatus", getU8Codec()],
    ["liquidationDuration", getU8Codec()],
    ["initialPctToLiquidate", getU16Codec()],
    ["maxNumberOfSubAccounts", getU16Codec()],
    ["maxInitializeUserFee", getU16Codec()],
    ["padding", reserved(10)],
  ]),
);

/** The exchange's settings as the program stores them. */
export type DriftState = ReturnType<typeof stateLayout.decode>;
