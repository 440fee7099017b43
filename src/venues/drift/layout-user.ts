import {
  getAddressCodec,
  getArrayCodec,
  getBooleanCodec,
  getI32Codec,
  getI64Codec,
  getI8Codec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { accountLayout, reserved } from "../../solana/anchor.ts";

/** `balanceType` of a spot position. */
export const BALANCE_TYPE = { deposit: 0, borrow: 1 } as const;

/** `status` of an order slot. */
export const ORDER_STATUS = { init: 0, open: 1, filled: 2, canceled: 3 } as const;

const spotPositionCodec = getStructCodec([
  ["scaledBalance", getU64Codec()],
  ["openBids", getI64Codec()],
  ["openAsks", getI64Codec()],
  ["cumulativeDeposits", getI64Codec()],
  ["marketIndex", getU16Codec()],
  ["balanceType", getU8Codec()],
  ["openOrders", getU8Codec()],
  ["padding", reserved(4)],
]);

const perpPositionCodec = getStructCodec([
  ["lastCumulativeFundingRate", getI64Codec()],
  ["baseAssetAmount", getI64Codec()],
  ["quoteAssetAmount", getI64Codec()],
  ["quoteBreakEvenAmount", getI64Codec()],
  ["quoteEntryAmount", getI64Codec()],
  ["openBids", getI64Codec()],
  ["openAsks", getI64Codec()],
  ["settledPnl", getI64Codec()],
  ["lpShares", getU64Codec()],
  ["lastBaseAssetAmountPerLp", getI64Codec()],
  ["lastQuoteAssetAmountPerLp", getI64Codec()],
  ["remainderBaseAssetAmount", getI32Codec()],
  ["marketIndex", getU16Codec()],
  ["openOrders", getU8Codec()],
  ["perLpBase", getI8Codec()],
]);

const orderCodec = getStructCodec([
  ["slot", getU64Codec()],
  ["price", getU64Codec()],
  ["baseAssetAmount", getU64Codec()],
  ["baseAssetAmountFilled", getU64Codec()],
  ["quoteAssetAmountFilled", getU64Codec()],
  ["triggerPrice", getU64Codec()],
  ["auctionStartPrice", getI64Codec()],
  ["auctionEndPrice", getI64Codec()],
  ["maxTs", getI64Codec()],
  ["oraclePriceOffset", getI32Codec()],
  ["orderId", getU32Codec()],
  ["marketIndex", getU16Codec()],
  ["status", getU8Codec()],
  ["orderType", getU8Codec()],
  ["marketType", getU8Codec()],
  ["userOrderId", getU8Codec()],
  ["existingPositionDirection", getU8Codec()],
  ["direction", getU8Codec()],
  ["reduceOnly", getBooleanCodec()],
  ["postOnly", getBooleanCodec()],
  ["bitFlags", getU8Codec()],
  ["triggerCondition", getU8Codec()],
  ["auctionDuration", getU8Codec()],
  ["padding", reserved(3)],
]);

/**
 * User account, 4,376 bytes: one sub-account's balances, positions and orders. Quote amounts have six decimals, base
 * amounts nine, funding rates nine, spot balances nine.
 */
export const userLayout = accountLayout(
  "User",
  getStructCodec([
    ["authority", getAddressCodec()],
    ["delegate", getAddressCodec()],
    ["name", reserved(32)],
    ["spotPositions", getArrayCodec(spotPositionCodec, { size: 8 })],
    ["perpPositions", getArrayCodec(perpPositionCodec, { size: 8 })],
    ["orders", getArrayCodec(orderCodec, { size: 32 })],
    ["lastAddPerpLpSharesTs", getI64Codec()],
    ["totalDeposits", getU64Codec()],
    ["totalWithdraws", getU64Codec()],
    ["totalSocialLoss", getU64Codec()],
    ["settledPerpPnl", getI64Codec()],
    ["cumulativeSpotFees", getI64Codec()],
    ["cumulativePerpFunding", getI64Codec()],
    ["liquidationMarginFreed", getU64Codec()],
    ["lastActiveSlot", getU64Codec()],
    ["nextOrderId", getU32Codec()],
    ["maxMarginRatio", getU32Codec()],
    ["nextLiquidationId", getU16Codec()],
    ["subAccountId", getU16Codec()],
    ["status", getU8Codec()],
    ["isMarginTradingEnabled", getBooleanCodec()],
    ["idle", getBooleanCodec()],
    ["openOrders", getU8Codec()],
    ["hasOpenOrder", getBooleanCodec()],
    ["openAuctions", getU8Codec()],
    ["hasOpenAuction", getBooleanCodec()],
    ["padding1", reserved(5)],
    ["lastFuelBonusUpdateTs", getI64Codec()],
    ["padding2", reserved(8)],
  ]),
);

/** One sub-account as the program stores it. */
export type DriftUser = ReturnType<typeof userLayout.decode>;

/** One of a user's eight perpetual positions. */
export type DriftPerpPosition = DriftUser["perpPositions"][number];

/** One of a user's eight spot positions. The first is always the quote asset's. */
export type DriftSpotPosition = DriftUser["spotPositions"][number];

/** One of a user's 32 order slots. */
export type DriftOrder = DriftUser["orders"][number];
