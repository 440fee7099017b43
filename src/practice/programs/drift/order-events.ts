import type { Address } from "@solana/kit";
import { getBase64Decoder } from "@solana/kit";
import type { DriftOrder } from "../../../venues/drift/layout-user.ts";
import {
  FILLED_WITH_AMM,
  type OrderActionRecord,
  orderActionRecordCodec,
  orderRecordCodec,
} from "../../../venues/drift/order-action-record.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { emit } from "./account-events.ts";

/** `actionExplanation` of an order action. */
export const EXPLANATION = {
  none: 0,
  insufficientCollateral: 1,
  expired: 4,
  filledWithAmm: FILLED_WITH_AMM,
  reduceOnlyIncreased: 12,
} as const;

type ActionFields = Partial<
  Pick<
    OrderActionRecord,
    | "action"
    | "actionExplanation"
    | "filler"
    | "fillerReward"
    | "fillRecordId"
    | "baseAssetAmountFilled"
    | "quoteAssetAmountFilled"
    | "takerFee"
    | "makerFee"
    | "quoteAssetAmountSurplus"
  >
>;

const base64 = getBase64Decoder();

/** Logs an order event as a plain log line, which costs less than a data line. */
function logRecord(context: InstructionContext, bytes: ArrayLike<number>): void {
  context.log(base64.decode(Uint8Array.from(bytes)));
}

type Action = readonly [
  user: Address,
  order: DriftOrder,
  oraclePrice: bigint,
  fields: ActionFields,
];

/** Logs an action on an order. */
export function emitOrderAction(context: InstructionContext, ...of: Action): void {
  logRecord(context, orderActionRecordCodec.encode(actionRecord(context, ...of)));
}

/** Logs a trigger, as a data line, which the program does for triggers alone. */
export function emitTrigger(context: InstructionContext, ...of: Action): void {
  emit(context, orderActionRecordCodec, actionRecord(context, ...of));
}

/** Post-only orders appear on the maker's side. */
function actionRecord(
  context: InstructionContext,
  user: Address,
  order: DriftOrder,
  oraclePrice: bigint,
  fields: ActionFields,
): OrderActionRecord {
  const taker = order.postOnly ? null : order;
  const maker = order.postOnly ? order : null;
  return {
    ts: context.time.unixTime,
    action: 0,
    actionExplanation: EXPLANATION.none,
    marketIndex: order.marketIndex,
    marketType: order.marketType,
    filler: null,
    fillerReward: null,
    fillRecordId: null,
    baseAssetAmountFilled: null,
    quoteAssetAmountFilled: null,
    takerFee: null,
    makerFee: null,
    referrerReward: null,
    quoteAssetAmountSurplus: null,
    spotFulfillmentMethodFee: null,
    taker: taker && user,
    takerOrderId: taker && taker.orderId,
    takerOrderDirection: taker && taker.direction,
    takerOrderBaseAssetAmount: taker && taker.baseAssetAmount,
    takerOrderCumulativeBaseAssetAmountFilled: taker && taker.baseAssetAmountFilled,
    takerOrderCumulativeQuoteAssetAmountFilled: taker && taker.quoteAssetAmountFilled,
    maker: maker && user,
    makerOrderId: maker && maker.orderId,
    makerOrderDirection: maker && maker.direction,
    makerOrderBaseAssetAmount: maker && maker.baseAssetAmount,
    makerOrderCumulativeBaseAssetAmountFilled: maker && maker.baseAssetAmountFilled,
    makerOrderCumulativeQuoteAssetAmountFilled: maker && maker.quoteAssetAmountFilled,
    oraclePrice,
    ...fields,
  };
}

/** Logs a newly placed order. */
export function emitOrder(context: InstructionContext, user: Address, order: DriftOrder): void {
  logRecord(context, orderRecordCodec.encode({ ts: context.time.unixTime, user, order }));
}
