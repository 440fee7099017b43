import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { accountLayout, reserved } from "../../solana/encoding/anchor.ts";
import { struct, slots } from "../../solana/encoding/in-place.ts";
import { bool, i32, i64, i8, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";

/** `balanceType` of a spot position. */
export const BALANCE_TYPE = { deposit: 0, borrow: 1 } as const;

/** `status` of an order slot. */
export const ORDER_STATUS = { init: 0, open: 1, filled: 2, canceled: 3 } as const;

const spotPositionCodec = struct([
  ["scaledBalance", u64],
  ["openBids", i64],
  ["openAsks", i64],
  ["cumulativeDeposits", i64],
  ["marketIndex", u16],
  ["balanceType", u8],
  ["openOrders", u8],
  ["padding", reserved(4)],
]);

const perpPositionCodec = struct([
  ["lastCumulativeFundingRate", i64],
  ["baseAssetAmount", i64],
  ["quoteAssetAmount", i64],
  ["quoteBreakEvenAmount", i64],
  ["quoteEntryAmount", i64],
  ["openBids", i64],
  ["openAsks", i64],
  ["settledPnl", i64],
  ["lpShares", u64],
  ["lastBaseAssetAmountPerLp", i64],
  ["lastQuoteAssetAmountPerLp", i64],
  ["remainderBaseAssetAmount", i32],
  ["marketIndex", u16],
  ["openOrders", u8],
  ["perLpBase", i8],
]);

/** An order as stored in accounts and events. */
export const orderCodec = struct([
  ["slot", u64],
  ["price", u64],
  ["baseAssetAmount", u64],
  ["baseAssetAmountFilled", u64],
  ["quoteAssetAmountFilled", u64],
  ["triggerPrice", u64],
  ["auctionStartPrice", i64],
  ["auctionEndPrice", i64],
  ["maxTs", i64],
  ["oraclePriceOffset", i32],
  ["orderId", u32],
  ["marketIndex", u16],
  ["status", u8],
  ["orderType", u8],
  ["marketType", u8],
  ["userOrderId", u8],
  ["existingPositionDirection", u8],
  ["direction", u8],
  ["reduceOnly", bool],
  ["postOnly", bool],
  ["bitFlags", u8],
  ["triggerCondition", u8],
  ["auctionDuration", u8],
  ["padding", reserved(3)],
]);

/**
 * User account, 4,376 bytes: one sub-account's balances, positions and orders. Quote amounts have six decimals, base
 * amounts nine, funding rates nine, spot balances nine.
 */
export const userLayout = accountLayout(
  "User",
  struct([
    ["authority", addressCodec],
    ["delegate", addressCodec],
    ["name", reserved(32)],
    ["spotPositions", slots(spotPositionCodec, 8)],
    ["perpPositions", slots(perpPositionCodec, 8)],
    ["orders", slots(orderCodec, 32)],
    ["lastAddPerpLpSharesTs", i64],
    ["totalDeposits", u64],
    ["totalWithdraws", u64],
    ["totalSocialLoss", u64],
    ["settledPerpPnl", i64],
    ["cumulativeSpotFees", i64],
    ["cumulativePerpFunding", i64],
    ["liquidationMarginFreed", u64],
    ["lastActiveSlot", u64],
    ["nextOrderId", u32],
    ["maxMarginRatio", u32],
    ["nextLiquidationId", u16],
    ["subAccountId", u16],
    ["status", u8],
    ["isMarginTradingEnabled", bool],
    ["idle", bool],
    ["openOrders", u8],
    ["hasOpenOrder", bool],
    ["openAuctions", u8],
    ["hasOpenAuction", bool],
    ["padding1", reserved(5)],
    ["lastFuelBonusUpdateTs", i64],
    ["padding2", reserved(8)],
  ]),
);

const DISCRIMINATOR_BYTES = 8;
const KEY_BYTES = 32;
const HEAD_BYTES = DISCRIMINATOR_BYTES + 3 * KEY_BYTES;

/** Size of the fields after `openOrders`: three flags, padding, a time, padding. */
const TAIL_BYTES = 3 + 5 + 8 + 8;

/** Offset of the delegate's 32 bytes in a User account. */
export const DELEGATE_OFFSET = DISCRIMINATOR_BYTES + KEY_BYTES;

/** Offset of the four-byte margin ratio: two two-byte numbers and three one-byte flags lie before the count of orders. */
export const MARGIN_RATIO_OFFSET = userLayout.size - TAIL_BYTES - 1 - 3 - 2 * 2 - 4;

/** Offset of the one-byte count of open orders. */
export const OPEN_ORDERS_OFFSET = userLayout.size - TAIL_BYTES - 1;

/** Returns the offset of a perpetual position's eight-byte size, by the position's index among the eight. */
export function baseAmountOffset(place: number): number {
  const spots = 8 * spotPositionCodec.fixedSize;
  return HEAD_BYTES + spots + place * perpPositionCodec.fixedSize + 8;
}

/** One sub-account as the program stores it. */
export type DriftUser = ReturnType<typeof userLayout.decode>;

/** One of a user's eight perpetual positions. */
export type DriftPerpPosition = DriftUser["perpPositions"][number];

/** One of a user's eight spot positions. The first is always the quote asset's. */
export type DriftSpotPosition = DriftUser["spotPositions"][number];

/** One of a user's 32 order slots. */
export type DriftOrder = DriftUser["orders"][number];

/** Returns whether a slot keeps anything: a position, unsettled profit or loss, or orders. */
export const isUsed = (slot: DriftPerpPosition): boolean =>
  slot.baseAssetAmount !== 0n || slot.quoteAssetAmount !== 0n || slot.openOrders > 0;
