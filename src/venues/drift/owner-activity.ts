import type { Address } from "@solana/kit";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { linesOf } from "../../solana/program-logs.ts";
import type { OwnerActivity } from "../ports.ts";
import { DIRECTION } from "./instruction-arguments.ts";
import { BASE_PRECISION } from "./margin.ts";
import { ORDER_ACTION, parseOrderActionLog } from "./order-action-record.ts";
import type { DriftInstance } from "./instance.ts";

type Trade = Extract<OwnerActivity, { kind: "trade" }>;

/** Returns the user's trades in a landed transaction, one per market and side. */
export function ownerActivityOf(
  instance: DriftInstance,
  user: Address,
  outcome: TransactionOutcome,
): readonly OwnerActivity[] {
  if (outcome.error !== null) return [];
  const trades = new Map<string, Trade>();
  for (const line of linesOf(instance.programId, outcome.logs)) {
    const trade = tradeOf(instance, user, line);
    if (trade === undefined) continue;
    const key = `${trade.marketId} ${trade.side}`;
    const before = trades.get(key);
    trades.set(key, before === undefined ? trade : sumOf(before, trade));
  }
  return [...trades.values()];
}

function tradeOf(instance: DriftInstance, user: Address, line: string): Trade | undefined {
  const record = parseOrderActionLog(line);
  const isTaker = record?.taker === user;
  if (record?.action !== ORDER_ACTION.fill || (!isTaker && record.maker !== user)) return undefined;
  const market = Object.entries(instance.perpMarketIndexes).find(
    ([, index]) => index === record.marketIndex,
  );
  const baseSize = record.baseAssetAmountFilled ?? 0n;
  if (market === undefined || baseSize === 0n) return undefined;
  const quoteSize = record.quoteAssetAmountFilled ?? 0n;
  const fee = (isTaker ? record.takerFee : record.makerFee) ?? 0n;
  const direction = isTaker ? record.takerOrderDirection : record.makerOrderDirection;
  return {
    kind: "trade",
    marketId: market[0],
    side: direction === DIRECTION.long ? "buy" : "sell",
    fill: { price: priceOf(quoteSize, baseSize), baseSize, quoteSize, fee },
  };
}

const priceOf = (quoteSize: bigint, baseSize: bigint): bigint =>
  (quoteSize * BASE_PRECISION) / baseSize;

function sumOf(one: Trade, other: Trade): Trade {
  const baseSize = one.fill.baseSize + other.fill.baseSize;
  const quoteSize = one.fill.quoteSize + other.fill.quoteSize;
  const fee = one.fill.fee + other.fill.fee;
  return { ...one, fill: { price: priceOf(quoteSize, baseSize), baseSize, quoteSize, fee } };
}
