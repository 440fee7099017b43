import type { Address } from "@solana/kit";
import type { DriftOrder } from "../../../venues/drift/layout-user.ts";
import type { OrderActionRecord } from "../../../venues/drift/order-action-record.ts";
import { orderActionRecordCodec } from "../../../venues/drift/order-action-record.ts";
import type { InstructionContext } from "../../runtime/program.ts";

type FillFields = Partial<
  Pick<
    OrderActionRecord,
    | "action"
    | "actionExplanation"
    | "filler"
    | "fillRecordId"
    | "baseAssetAmountFilled"
    | "quoteAssetAmountFilled"
    | "takerFee"
  >
>;

/** Logs what happened to a taker's order. */
export function emitOrderAction(
  context: InstructionContext,
  taker: Address,
  order: DriftOrder,
  oraclePrice: bigint,
  fields: FillFields,
): void {
  const record: OrderActionRecord = {
    ts: context.time.unixTime,
    action: 0,
    actionExplanation: 0,
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
    taker,
    takerOrderId: order.orderId,
    takerOrderDirection: order.direction,
    takerOrderBaseAssetAmount: order.baseAssetAmount,
    takerOrderCumulativeBaseAssetAmountFilled: order.baseAssetAmountFilled,
    takerOrderCumulativeQuoteAssetAmountFilled: order.quoteAssetAmountFilled,
    maker: null,
    makerOrderId: null,
    makerOrderDirection: null,
    makerOrderBaseAssetAmount: null,
    makerOrderCumulativeBaseAssetAmountFilled: null,
    makerOrderCumulativeQuoteAssetAmountFilled: null,
    oraclePrice,
    ...fields,
  };
  context.logData(new Uint8Array(orderActionRecordCodec.encode(record)));
}
