import type { Address } from "@solana/kit";
import type { Fill } from "../../domain/order/order.ts";
import { ChainUnavailableError, type TransactionOutcome } from "../../solana/chain.ts";
import { explainFailure, orderFailure } from "../../solana/program-errors.ts";
import { isLogCut, linesOf } from "../../solana/program-logs.ts";
import type { OrderReport, ProtectiveAct, RestingOrder } from "../placed-order.ts";
import { parseBookEvent } from "./book-events.ts";
import { BASE_PRECISION } from "./margin.ts";
import {
  keeperRewardOf,
  ORDER_ACTION,
  type OrderActionRecord,
  ownSide,
  type OrderRecord,
  parseOrderLog,
} from "./order-action-record.ts";
import { driftErrors } from "./program-errors.ts";
import { type DriftInstance, marketName, tradedMarket } from "./instance.ts";
import { isOurs, protectiveKeyOf } from "./protective.ts";

/** One action on an order of the user. */
interface OwnAction {
  readonly action: number;
  readonly orderId: number;
  readonly orderBase: bigint;
  readonly fill: Fill | null;
}

function actionsOf(
  instance: DriftInstance,
  user: Address,
  logs: readonly string[],
): readonly OwnAction[] {
  const unclaimed = new Map<number, bigint>();
  return linesOf(instance.programId, logs).flatMap((line): readonly OwnAction[] => {
    const event = parseBookEvent(line);
    if (event?.kind === "funding" && event.record.user === user) {
      const { marketIndex, fundingPayment } = event.record;
      unclaimed.set(marketIndex, (unclaimed.get(marketIndex) ?? 0n) + fundingPayment);
    }
    if (event?.kind !== "order") return [];
    const { record } = event;
    const own = ownSide(record, user);
    if (own === undefined || own.orderId === null) return [];
    const { orderId, orderBase, base: baseSize, quote: quoteSize, fee } = own;
    const { action, marketIndex } = record;
    const reward = keeperRewardOf(record, user);
    if (reward !== 0n) {
      const fill = { price: 0n, baseSize: 0n, quoteSize: 0n, fee: reward };
      return [{ action, orderId, orderBase, fill }];
    }
    if (action !== ORDER_ACTION.fill || baseSize === 0n) {
      return [{ action, orderId, orderBase, fill: null }];
    }
    const price = (quoteSize * BASE_PRECISION) / baseSize;
    const funding = unclaimed.get(marketIndex);
    unclaimed.delete(marketIndex);
    const fill = { price, baseSize, quoteSize, fee, ...(funding && { funding }) };
    return [{ action, orderId, orderBase, fill }];
  });
}

const fillsOf = (actions: readonly OwnAction[], orderId: number): readonly Fill[] =>
  actions.flatMap((action) => (action.orderId === orderId ? (action.fill ?? []) : []));

function placedOrder(
  instance: DriftInstance,
  user: Address,
  { logs, slot }: TransactionOutcome,
  orderId: number,
): RestingOrder | undefined {
  const isIt = (record: OrderRecord | undefined): record is OrderRecord =>
    record?.user === user && record.order.orderId === orderId;
  const record = linesOf(instance.programId, logs).map(parseOrderLog).find(isIt);
  const marketId = tradedMarket(instance, record?.order.marketIndex);
  if (record === undefined || marketId === undefined) return undefined;
  return {
    venueOrderId: String(orderId),
    marketId,
    baseSize: record.order.baseAssetAmount,
    placedSlot: slot,
    // oxlint-disable-next-line house/no-float-money -- a time, not money
    expiresAtMs: Number(record.order.maxTs) * 1_000,
  };
}

const UNTOLD = "The log of an order was cut before it told what became of it";

/**
 * Returns the outcome of the order that a landed transaction placed. A signature alone is not a fill.
 *
 * Throws `ChainUnavailableError` where a cut log does not tell; an order of which it tells only the placing rests, and
 * the account tells when it is over.
 */
export function reportOrderOf(
  instance: DriftInstance,
  user: Address,
  outcome: TransactionOutcome,
): OrderReport {
  if (outcome.error !== null) {
    const failure = explainFailure({ error: outcome.error, logs: outcome.logs }, [
      driftErrors(instance),
    ]);
    return { kind: "rejected", reason: orderFailure(failure), retryable: failure.retryable };
  }
  const actions = actionsOf(instance, user, outcome.logs);
  // The order comes first; protective orders are placed after it
  const placed = actions.find(({ action }) => action === ORDER_ACTION.place);
  const isCut = isLogCut(outcome.logs);
  if (placed === undefined && !isCut) return { kind: "not_filled" };
  if (placed === undefined) throw new ChainUnavailableError(UNTOLD);
  const { orderId, orderBase } = placed;
  const fills = fillsOf(actions, orderId);
  const filledBase = fills.reduce((sum, { baseSize }) => sum + baseSize, 0n);
  if (filledBase >= orderBase) return { kind: "filled", fills };
  const isCanceled = actions.some(
    (each) => each.action === ORDER_ACTION.cancel && each.orderId === orderId,
  );
  const resting = isCanceled ? undefined : placedOrder(instance, user, outcome, orderId);
  if (resting !== undefined) return { kind: "resting", order: resting };
  if (isCut && !isCanceled) throw new ChainUnavailableError(UNTOLD);
  return filledBase === 0n ? { kind: "not_filled" } : { kind: "partially_filled", fills };
}

/** Returns the fills of one resting order in a landed transaction of any sender. */
export function fillsOfRestingOrder(
  instance: DriftInstance,
  user: Address,
  resting: RestingOrder,
  outcome: TransactionOutcome,
): readonly Fill[] {
  if (outcome.error !== null) return [];
  const actions = actionsOf(instance, user, outcome.logs);
  return fillsOf(actions, Number.parseInt(resting.venueOrderId, 10));
}

/** Returns what a landed transaction of any sender did to the user's orders, in its order. */
export function protectiveActsOf(
  instance: DriftInstance,
  user: Address,
  outcome: TransactionOutcome,
): readonly ProtectiveAct[] {
  if (outcome.error !== null) return [];
  return linesOf(instance.programId, outcome.logs).flatMap((line) => {
    const event = parseBookEvent(line);
    if (event?.kind === "order") return actOf(event.record, user) ?? [];
    const placed = event === undefined ? parseOrderLog(line) : undefined;
    if (placed?.user !== user) return [];
    const { orderId, userOrderId, marketIndex } = placed.order;
    return {
      kind: "placed" as const,
      venueOrderId: String(orderId),
      key: isOurs(placed.order) ? protectiveKeyOf(userOrderId, marketIndex) : null,
      marketId: marketName(instance, marketIndex),
    };
  });
}

function actOf(record: OrderActionRecord, user: Address): ProtectiveAct | null {
  const own = ownSide(record, user);
  if (own === undefined || own.orderId === null) return null;
  const venueOrderId = String(own.orderId);
  const { base: baseSize, quote: quoteSize, fee } = own;
  if (record.action === ORDER_ACTION.fill && baseSize > 0n) {
    const price = (quoteSize * BASE_PRECISION) / baseSize;
    return { kind: "filled", venueOrderId, fill: { price, baseSize, quoteSize, fee } };
  }
  const paid = keeperRewardOf(record, user);
  if (record.action === ORDER_ACTION.trigger) return { kind: "triggered", venueOrderId, fee: paid };
  const isOver = record.action === ORDER_ACTION.cancel || record.action === ORDER_ACTION.expire;
  return isOver ? { kind: "cancelled", venueOrderId, fee: paid } : null;
}
