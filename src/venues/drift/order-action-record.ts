import {
  type ReadonlyUint8Array,
  getBase64Codec,
  getI64Codec,
  getNullableCodec,
  getStructCodec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { anchorDiscriminator, withDiscriminator } from "../../solana/encoding/anchor.ts";
import { orderCodec } from "./layout-user.ts";

/** `action` of an order action record. */
export const ORDER_ACTION = { place: 0, cancel: 1, fill: 2, trigger: 3, expire: 4 } as const;

/** `actionExplanation` of a fill by the market's AMM. */
export const FILLED_WITH_AMM = 6;

const address = getNullableCodec(addressCodec);
const amount = getNullableCodec(getU64Codec());
const signed = getNullableCodec(getI64Codec());
const id = getNullableCodec(getU32Codec());
const direction = getNullableCodec(getU8Codec());

/** The event Drift logs for each action on an order. Quote amounts have six decimals, base amounts nine, prices six. */
export const orderActionRecordCodec = withDiscriminator(
  anchorDiscriminator("event", "OrderActionRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["action", getU8Codec()],
    ["actionExplanation", getU8Codec()],
    ["marketIndex", getU16Codec()],
    ["marketType", getU8Codec()],
    ["filler", address],
    ["fillerReward", amount],
    ["fillRecordId", amount],
    ["baseAssetAmountFilled", amount],
    ["quoteAssetAmountFilled", amount],
    ["takerFee", amount],
    ["makerFee", signed],
    ["referrerReward", id],
    ["quoteAssetAmountSurplus", signed],
    ["spotFulfillmentMethodFee", amount],
    ["taker", address],
    ["takerOrderId", id],
    ["takerOrderDirection", direction],
    ["takerOrderBaseAssetAmount", amount],
    ["takerOrderCumulativeBaseAssetAmountFilled", amount],
    ["takerOrderCumulativeQuoteAssetAmountFilled", amount],
    ["maker", address],
    ["makerOrderId", id],
    ["makerOrderDirection", direction],
    ["makerOrderBaseAssetAmount", amount],
    ["makerOrderCumulativeBaseAssetAmountFilled", amount],
    ["makerOrderCumulativeQuoteAssetAmountFilled", amount],
    ["oraclePrice", getI64Codec()],
  ]),
);

/** One action on an order. */
export type OrderActionRecord = ReturnType<typeof orderActionRecordCodec.decode>;

/** The event of a placed order, with the order as stored in its owner's account. */
export const orderRecordCodec = withDiscriminator(
  anchorDiscriminator("event", "OrderRecord"),
  getStructCodec([
    ["ts", getI64Codec()],
    ["user", addressCodec],
    ["order", orderCodec],
  ]),
);

/** A newly placed order with all values the program assigned. */
export type OrderRecord = ReturnType<typeof orderRecordCodec.decode>;

/** Order events are logged as text, which takes the program less memory than data events. */
const LOG_PREFIX = "Program log: ";
const base64 = getBase64Codec();

/** Returns the log line the program emits for the record. */
export function orderActionLog(record: OrderActionRecord): string {
  return LOG_PREFIX + base64.decode(orderActionRecordCodec.encode(record));
}

function parse<T>(codec: { decode(bytes: ReadonlyUint8Array): T }, line: string): T | undefined {
  if (!line.startsWith(LOG_PREFIX)) return undefined;
  try {
    return codec.decode(base64.encode(line.slice(LOG_PREFIX.length)));
  } catch {
    return undefined;
  }
}

/** Returns the record of a log line, or undefined for any other line. Later fields are ignored. */
export function parseOrderActionLog(line: string): OrderActionRecord | undefined {
  return parse(orderActionRecordCodec, line);
}

/** Returns the placed order of a log line, or undefined for any other line. */
export function parseOrderLog(line: string): OrderRecord | undefined {
  return parse(orderRecordCodec, line);
}
