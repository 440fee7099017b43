import { getNullableCodec, getStructCodec } from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { anchorStruct, reserved, vec } from "../../solana/encoding/anchor.ts";
import { bool, i32, i64, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";

/** `orderType` of an order. */
export const ORDER_TYPE = {
  market: 0,
  limit: 1,
  triggerMarket: 2,
  triggerLimit: 3,
  oracle: 4,
} as const;

/** `marketType` of an order. */
export const MARKET_TYPE = { spot: 0, perp: 1 } as const;

/** `direction` of an order. */
export const DIRECTION = { long: 0, short: 1 } as const;

/** `triggerCondition` of an order; the triggered ones are set by the program. */
export const TRIGGER_CONDITION = {
  above: 0,
  below: 1,
  triggeredAbove: 2,
  triggeredBelow: 3,
} as const;

/** `policy` of a change: whether it fails when the order is gone. */
export const MODIFY_POLICY = { try: 0, must: 1 } as const;

/** Bit of `bitFlags` that cancels the unfilled rest at once. */
export const IMMEDIATE_OR_CANCEL = 1;

/**
 * Parameters of an order. Base amount with nine decimals, prices with six; a market order with price 0 has no limit.
 */
const orderParamFields = [
  ["orderType", u8],
  ["marketType", u8],
  ["direction", u8],
  ["userOrderId", u8],
  ["baseAssetAmount", u64],
  ["price", u64],
  ["marketIndex", u16],
  ["reduceOnly", bool],
  ["postOnly", u8],
  ["bitFlags", u8],
  ["maxTs", getNullableCodec(i64)],
  ["triggerPrice", getNullableCodec(u64)],
  ["triggerCondition", u8],
  ["oraclePriceOffset", getNullableCodec(i32)],
  ["auctionDuration", getNullableCodec(u8)],
  ["auctionStartPrice", getNullableCodec(i64)],
  ["auctionEndPrice", getNullableCodec(i64)],
] as const;

/** What `modifyOrderByUserId` changes of an order; null keeps the order's own. */
const orderChangeFields = [
  ["direction", getNullableCodec(u8)],
  ["baseAssetAmount", getNullableCodec(u64)],
  ["price", getNullableCodec(u64)],
  ["reduceOnly", getNullableCodec(bool)],
  ["postOnly", getNullableCodec(u8)],
  ["immediateOrCancel", getNullableCodec(bool)],
  ["maxTs", getNullableCodec(i64)],
  ["triggerPrice", getNullableCodec(u64)],
  ["triggerCondition", getNullableCodec(u8)],
  ["oraclePriceOffset", getNullableCodec(i32)],
  ["auctionDuration", getNullableCodec(u8)],
  ["auctionStartPrice", getNullableCodec(i64)],
  ["auctionEndPrice", getNullableCodec(i64)],
  ["policy", getNullableCodec(u8)],
] as const;

const args = <const F extends Parameters<typeof anchorStruct>[2]>(method: string, fields: F) =>
  anchorStruct("global", method, fields);

const transferFields = [
  ["marketIndex", u16],
  ["amount", u64],
  ["reduceOnly", bool],
] as const;

/** Codecs of each instruction's arguments after its discriminator; decoding another instruction's bytes throws. */
export const driftArguments = {
  initializeUserStats: args("initialize_user_stats", []),
  initializeUser: args("initialize_user", [
    ["subAccountId", u16],
    ["name", reserved(32)],
  ]),
  updateUserDelegate: args("update_user_delegate", [
    ["subAccountId", u16],
    ["delegate", addressCodec],
  ]),
  updateUserCustomMarginRatio: args("update_user_custom_margin_ratio", [
    ["subAccountId", u16],
    ["marginRatio", u32],
  ]),
  updateUserName: args("update_user_name", [
    ["subAccountId", u16],
    ["name", reserved(32)],
  ]),
  deposit: args("deposit", transferFields),
  withdraw: args("withdraw", transferFields),
  placePerpOrder: args("place_perp_order", orderParamFields),
  placeAndTakePerpOrder: args("place_and_take_perp_order", [
    ["params", getStructCodec(orderParamFields)],
    ["successCondition", getNullableCodec(u32)],
  ]),
  fillPerpOrder: args("fill_perp_order", [
    ["orderId", getNullableCodec(u32)],
    ["makerOrderId", getNullableCodec(u32)],
  ]),
  cancelOrders: args("cancel_orders", [
    ["marketType", getNullableCodec(u8)],
    ["marketIndex", getNullableCodec(u16)],
    ["direction", getNullableCodec(u8)],
  ]),
  cancelOrdersByIds: args("cancel_orders_by_ids", [["orderIds", vec(u32)]]),
  modifyOrderByUserId: args("modify_order_by_user_id", [
    ["userOrderId", u8],
    ["change", getStructCodec(orderChangeFields)],
  ]),
  triggerOrder: args("trigger_order", [["orderId", u32]]),
  settlePnl: args("settle_pnl", [["marketIndex", u16]]),
  deleteUser: args("delete_user", []),
} as const;

/** Parameters of an order with every field set. */
export type OrderParams = ReturnType<typeof driftArguments.placePerpOrder.decode>;

/** A change of an order. */
export type OrderChange = ReturnType<typeof driftArguments.modifyOrderByUserId.decode>["change"];
