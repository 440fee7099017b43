import {
  type Address,
  type ReadonlyUint8Array,
  getBase64Codec,
  getNullableCodec,
} from "@solana/kit";
import { addressCodec } from "../../solana/encoding/address-codec.ts";
import { anchorDiscriminator, anchorStruct } from "../../solana/encoding/anchor.ts";
import { i64, u16, u32, u64, u8 } from "../../solana/number-codecs.ts";
import { DIRECTION } from "./instruction-arguments.ts";
import { orderCodec } from "./layout-user.ts";

/** `action` of an order action record. */
export const ORDER_ACTION = { place: 0, cancel: 1, fill: 2, trigger: 3, expire: 4 } as const;

/** `actionExplanation` of a fill by the market's AMM. */
export const FILLED_WITH_AMM = 6;

const address = getNullableCodec(addressCodec);
const amount = getNullableCodec(u64);
const signed = getNullableCodec(i64);
const id = getNullableCodec(u32);
const direction = getNullableCodec(u8);

/** The event Drift logs for each action on an order. Quote amounts have six decimals, base amounts nine, prices six. */
export const orderActionRecordCodec = anchorStruct("event", "OrderActionRecord", [
  ["ts", i64],
  ["action", u8],
  ["actionExplanation", u8],
  ["marketIndex", u16],
  ["marketType", u8],
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
  ["oraclePrice", i64],
]);

/** One action on an order. */
export type OrderActionRecord = ReturnType<typeof orderActionRecordCodec.decode>;

/** A user's own side of an action on an order. */
export interface OwnSide {
  readonly orderId: number | null;
  readonly isBuying: boolean;
  /** Base units of the whole order. */
  readonly orderBase: bigint;
  /** Filled by this action: base and quote units, and the fee in quote units, negative for a rebate. */
  readonly base: bigint;
  readonly quote: bigint;
  readonly fee: bigint;
}

/** Returns the user's side of an action; undefined where neither side is the user's. */
export function ownSide(record: OrderActionRecord, user: Address): OwnSide | undefined {
  const isTaker = record.taker === user;
  if (!isTaker && record.maker !== user) return undefined;
  const [orderId, direction, orderBase, fee] = isTaker
    ? [
        record.takerOrderId,
        record.takerOrderDirection,
        record.takerOrderBaseAssetAmount,
        record.takerFee,
      ]
    : [
        record.makerOrderId,
        record.makerOrderDirection,
        record.makerOrderBaseAssetAmount,
        // A maker order has only its rebate; the fee is the taker's
        record.makerFee,
      ];
  return {
    orderId,
    isBuying: direction === DIRECTION.long,
    orderBase: orderBase ?? 0n,
    base: record.baseAssetAmountFilled ?? 0n,
    quote: record.quoteAssetAmountFilled ?? 0n,
    fee: fee ?? 0n,
  };
}

/** Returns what a user paid, in quote units, to whoever triggered an order of his or ended what was left of it. */
export const keeperRewardOf = (
  { action, filler, fillerReward }: OrderActionRecord,
  user: Address,
): bigint =>
  action === ORDER_ACTION.fill || filler === null || filler === user ? 0n : (fillerReward ?? 0n);

/** The event of a placed order, with the order as stored in its owner's account. */
export const orderRecordCodec = anchorStruct("event", "OrderRecord", [
  ["ts", i64],
  ["user", addressCodec],
  ["order", orderCodec],
]);

/** A newly placed order with all values the program assigned. */
export type OrderRecord = ReturnType<typeof orderRecordCodec.decode>;

/** Order events are logged as text, which takes the program less memory than data events. */
export const LOG_PREFIX = "Program log: ";
const base64 = getBase64Codec();

/** Characters of base64 that eight bytes decide on their own. */
const WHOLE_CHARACTERS = 10;

/**
 * Returns a parser of one event's lines. Most lines are other ones: they are told apart by how they begin, because a
 * failed decoding costs far more.
 */
function parserOf<T>(
  event: string,
  codec: { decode(bytes: ReadonlyUint8Array): T },
): (line: string) => T | undefined {
  const discriminator = base64.decode(anchorDiscriminator("event", event));
  const beginning = LOG_PREFIX + discriminator.slice(0, WHOLE_CHARACTERS);
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
export const parseOrderActionLog = parserOf("OrderActionRecord", orderActionRecordCodec);

/** Returns the placed order of a log line, or undefined for any other line. */
export const parseOrderLog = parserOf("OrderRecord", orderRecordCodec);
