import {
  getAddressCodec,
  getBooleanCodec,
  getI64Codec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { accountLayout, reserved } from "../../solana/anchor.ts";

/** UserStats account, 240 bytes: fees and volumes over all of an authority's sub-accounts. Never closed. */
export const userStatsLayout = accountLayout(
  "UserStats",
  getStructCodec([
    ["authority", getAddressCodec()],
    ["referrer", getAddressCodec()],
    ["totalFeePaid", getU64Codec()],
    ["totalFeeRebate", getU64Codec()],
    ["totalTokenDiscount", getU64Codec()],
    ["totalRefereeDiscount", getU64Codec()],
    ["totalReferrerReward", getU64Codec()],
    ["currentEpochReferrerReward", getU64Codec()],
    ["nextEpochTs", getI64Codec()],
    ["makerVolume30d", getU64Codec()],
    ["takerVolume30d", getU64Codec()],
    ["fillerVolume30d", getU64Codec()],
    ["lastMakerVolume30dTs", getI64Codec()],
    ["lastTakerVolume30dTs", getI64Codec()],
    ["lastFillerVolume30dTs", getI64Codec()],
    ["ifStakedQuoteAssetAmount", getU64Codec()],
    ["numberOfSubAccounts", getU16Codec()],
    ["numberOfSubAccountsCreated", getU16Codec()],
    ["referrerStatus", getU8Codec()],
    ["disableUpdatePerpBidAskTwap", getBooleanCodec()],
    ["padding1", reserved(2)],
    ["fuelInsurance", getU32Codec()],
    ["fuelDeposits", getU32Codec()],
    ["fuelBorrows", getU32Codec()],
    ["fuelPositions", getU32Codec()],
    ["fuelTaker", getU32Codec()],
    ["fuelMaker", getU32Codec()],
    ["ifStakedGovTokenAmount", getU64Codec()],
    ["lastFuelIfBonusUpdateTs", getU32Codec()],
    ["padding2", reserved(12)],
  ]),
);

/** An authority's statistics as the program stores them. */
export type DriftUserStats = ReturnType<typeof userStatsLayout.decode>;
