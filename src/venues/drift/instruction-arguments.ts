import {
  type Decoder,
  type Encoder,
  fixCodecSize,
  getArrayCodec,
  getBooleanCodec,
  getBytesCodec,
  getI32Codec,
  getI64Codec,
  getNullableCodec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
  getUnitCodec,
} from "@solana/kit";
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
  ["orderType", getU8Codec()],
  ["marketType", getU8Codec()],
  ["direction", getU8Codec()],
  ["userOrderId", getU8Codec()],
  ["baseAssetAmount", getU64Codec()],
  ["price", getU64Codec()],
  ["marketIndex", getU16Codec()],
  ["reduceOnly", getBooleanCodec()],
  ["postOnly", getU8Codec()],
  ["bitFlags", getU8Codec()],
  ["maxTs", getNullableCodec(getI64Codec())],
  ["triggerPrice", getNullableCodec(getU64Codec())],
  ["triggerCondition", getU8Codec()],
  ["oraclePriceOffset", getNullableCodec(getI32Codec())],
  ["auctionDuration", getNullableCodec(getU8Codec())],
  ["auctionStartPrice", getNullableCodec(getI64Codec())],
  ["auctionEndPrice", getNullableCodec(getI64Codec())],
]);

/** Parameters of an order with every field set. */
export type OrderParams = ReturnType<typeof orderParamsCodec.decode>;

const method = <TCodec extends Encoder<never> & Decoder<unknown>>(
  name: string,
  body: TCodec,
): TCodec => withDiscriminator(anchorDiscriminator("global", name), body);

const nameCodec = fixCodecSize(getBytesCodec(), 32);

const transferCodec = getStructCodec([
  ["marketIndex", getU16Codec()],
  ["amount", getU64Codec()],
  ["reduceOnly", getBooleanCodec()],
]);

/** Codecs of each instruction's arguments after its discriminator; decoding another instruction's bytes throws. */
export const driftArguments = {
  initializeUserStats: method("initialize_user_stats", getUnitCodec()),
  initializeUser: method(
    "initialize_user",
    getStructCodec([
      ["subAccountId", getU16Codec()],
      ["name", nameCodec],
    ]),
  ),
  updateUserDelegate: method(
    "update_user_delegate",
    getStructCodec([
      ["subAccountId", getU16Codec()],
      ["delegate", addressCodec],
    ]),
  ),
  updateUserCustomMarginRatio: method(
    "update_user_custom_margin_ratio",
    getStructCodec([
      ["subAccountId", getU16Codec()],
      ["marginRatio", getU32Codec()],
    ]),
  ),
  updateUserName: method(
    "update_user_name",
    getStructCodec([
      ["subAccountId", getU16Codec()],
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
      ["successCondition", getNullableCodec(getU32Codec())],
    ]),
  ),
  fillPerpOrder: method(
    "fill_perp_order",
    getStructCodec([
      ["orderId", getNullableCodec(getU32Codec())],
      ["makerOrderId", getNullableCodec(getU32Codec())],
    ]),
  ),
  cancelOrders: method(
    "cancel_orders",
    getStructCodec([
      ["marketType", getNullableCodec(getU8Codec())],
      ["marketIndex", getNullableCodec(getU16Codec())],
      ["direction", getNullableCodec(getU8Codec())],
    ]),
  ),
  cancelOrdersByIds: method(
    "cancel_orders_by_ids",
    getStructCodec([["orderIds", getArrayCodec(getU32Codec())]]),
  ),
  settlePnl: method("settle_pnl", getStructCodec([["marketIndex", getU16Codec()]])),
  deleteUser: method("delete_user", getUnitCodec()),
} as const;
