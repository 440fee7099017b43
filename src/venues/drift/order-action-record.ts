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

const ACTION_EVENT = anchorDiscriminator("event", "OrderActionRecord");
const ORDER_EVENT = anchorDiscriminator("event", "OrderRecord");

/** The event Drift logs for each action on an order. Quote amounts have six decimals, base amounts nine, prices six. */
export const orderActionRecordCodec = withDiscriminator(
  ACTION_EVENT,
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
  ORDER_EVENT,
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

/** Characters of base64 that eight bytes decide on their own. */
const WHOLE_CHARACTERS = 10;

/**
 * Returns a parser of one event's lines. Most lines are other ones: they are told apart by how they begin, because a
 * failed decoding costs far more.
 */
function parserOf<T>(
  discriminator: Uint8Array,
  codec: { decode(bytes: ReadonlyUint8Array): T },
): (line: string) => T | undefined {
  const beginning = LOG_PREFIX + base64.decode(discriminator).slice(0, WHOLE_CHARACTERS);
  return (line) => {
    if (!line.startsWith(beginning)) return undefined;
    try {
      return codec.decode(base64.encode(line.slice(LOG_PREFIX.length)));
    } catch {
      return undefined;
    }
  };
}

/** Returns the record of a log line, or undefined for any other line. Later fields are ignored. */
export const parseOrderActionLog = parserOf(ACTION_EVENT, orderActionRecordCodec);

/** Returns the placed order of a log line, or undefined for any other line. */
export const parseOrderLog = parserOf(ORDER_EVENT, orderRecordCodec);
