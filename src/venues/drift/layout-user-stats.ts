import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { accountLayout, reserved } from "../../solana/encoding/anchor.ts";
import { struct } from "../../solana/encoding/in-place.ts";
import { bool, i64, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";

/** UserStats account, 240 bytes: fees and volumes over all of an authority's sub-accounts. Never closed. */
export const userStatsLayout = accountLayout(
  "UserStats",
  struct([
    ["authority", addressCodec],
    ["referrer", addressCodec],
    ["totalFeePaid", u64],
    ["totalFeeRebate", u64],
    ["totalTokenDiscount", u64],
    ["totalRefereeDiscount", u64],
    ["totalReferrerReward", u64],
    ["currentEpochReferrerReward", u64],
    ["nextEpochTs", i64],
    ["makerVolume30d", u64],
    ["takerVolume30d", u64],
    ["fillerVolume30d", u64],
    ["lastMakerVolume30dTs", i64],
    ["lastTakerVolume30dTs", i64],
    ["lastFillerVolume30dTs", i64],
    ["ifStakedQuoteAssetAmount", u64],
    ["numberOfSubAccounts", u16],
    ["numberOfSubAccountsCreated", u16],
    ["referrerStatus", u8],
    ["disableUpdatePerpBidAskTwap", bool],
    ["padding1", reserved(2)],
    ["fuelInsurance", u32],
    ["fuelDeposits", u32],
    ["fuelBorrows", u32],
    ["fuelPositions", u32],
    ["fuelTaker", u32],
    ["fuelMaker", u32],
    ["ifStakedGovTokenAmount", u64],
    ["lastFuelIfBonusUpdateTs", u32],
    ["padding2", reserved(12)],
  ]),
);

/** An authority's statistics as the program stores them. */
export type DriftUserStats = ReturnType<typeof userStatsLayout.decode>;

/** Bits of `referrerStatus`. Anybody can make another authority his referrer, once, without its consent. */
export const REFERRER_STATUS = { isReferrer: 1 } as const;
