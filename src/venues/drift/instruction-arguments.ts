import {
  type Decoder,
  type Encoder,
  fixCodecSize,
  getArrayCodec,
  getBooleanCodec,
  getBytesCodec,
  getNullableCodec,
  getStructCodec,
  getUnitCodec,
} from "@solana/kit";
import { i32, i64, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { anchorDiscriminator, withDiscriminator } from "../../solana/encoding/anchor.ts";

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

/** Bit of `bitFlags` that cancels the unfilled rest at once. */
export const IMMEDIATE_OR_CANCEL = 1;

/**
 * Parameters of an order. Base amount with nine decimals, prices with six; a market order with price 0 has no limit.
 */
export const orderParamsCodec = getStructCodec([
  ["orderType", u8],
  ["marketType", u8],
  ["direction", u8],
  ["userOrderId", u8],
  ["baseAssetAmount", u64],
  ["price", u64],
  ["marketIndex", u16],
  ["reduceOnly", getBooleanCodec()],
  ["postOnly", u8],
  ["bitFlags", u8],
  ["maxTs", getNullableCodec(i64)],
  ["triggerPrice", getNullableCodec(u64)],
  ["triggerCondition", u8],
  ["oraclePriceOffset", getNullableCodec(i32)],
  ["auctionDuration", getNullableCodec(u8)],
  ["auctionStartPrice", getNullableCodec(i64)],
  ["auctionEndPrice", getNullableCodec(i64)],
]);

/** Parameters of an order with every field set. */
export type OrderParams = ReturnType<typeof orderParamsCodec.decode>;

const method = <TCodec extends Encoder<never> & Decoder<unknown>>(
  name: string,
  body: TCodec,
): TCodec => withDiscriminator(anchorDiscriminator("global", name), body);

const nameCodec = fixCodecSize(getBytesCodec(), 32);

const transferCodec = getStructCodec([
  ["marketIndex", u16],
  ["amount", u64],
  ["reduceOnly", getBooleanCodec()],
]);

/** Codecs of each instruction's arguments after its discriminator; decoding another instruction's bytes throws. */
export const driftArguments = {
  initializeUserStats: method("initialize_user_stats", getUnitCodec()),
  initializeUser: method(
    "initialize_user",
    getStructCodec([
      ["subAccountId", u16],
      ["name", nameCodec],
    ]),
  ),
  updateUserDelegate: method(
    "update_user_delegate",
    getStructCodec([
      ["subAccountId", u16],
      ["delegate", addressCodec],
    ]),
  ),
  updateUserName: method(
    "update_user_name",
    getStructCodec([
      ["subAccountId", u16],
      ["name", nameCodec],
    ]),
  ),
  deposit: method("deposit", transferCodec),
  withdraw: method("withdraw", transferCodec),
  placePerpOrder: method("place_perp_order", orderParamsCodec),
  placeAndTakePerpOrder: method(
    "place_and_take_perp_order",
    getStructCodec([
      ["params", orderParamsCodec],
      ["successCondition", getNullableCodec(u32)],
    ]),
  ),
  fillPerpOrder: method(
    "fill_perp_order",
    getStructCodec([
      ["orderId", getNullableCodec(u32)],
      ["makerOrderId", getNullableCodec(u32)],
    ]),
  ),
  cancelOrders: method(
    "cancel_orders",
    getStructCodec([
      ["marketType", getNullableCodec(u8)],
      ["marketIndex", getNullableCodec(u16)],
      ["direction", getNullableCodec(u8)],
    ]),
  ),
  cancelOrdersByIds: method(
    "cancel_orders_by_ids",
    getStructCodec([["orderIds", getArrayCodec(u32)]]),
  ),
  settlePnl: method("settle_pnl", getStructCodec([["marketIndex", u16]])),
  deleteUser: method("delete_user", getUnitCodec()),
} as const;
