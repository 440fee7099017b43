import { type MarketKind, MARKETS } from "../../domain/market.ts";
import type { Signal } from "../../domain/signal.ts";
import {
  tradeSide,
  tradeType,
  type TradeLogStatus,
  type TradeSide,
} from "../../domain/trade-log.ts";
import type { Db } from "./db.ts";

/** Most rows one statement inserts: PostgreSQL takes 65,535 parameters. */
const ROWS_PER_STATEMENT = 1_000;

/** Market names are the same for every venue that has them; an unknown one shows as before. */
const kindOf = (marketId: string): MarketKind | undefined =>
  MARKETS.find((market) => market.marketId === marketId)?.kind;

/** A new line of the trade log: an order, still without figures, or counters set back. */
export interface NewTradeLogEntry {
  readonly id: string;
  readonly agentId: string;
  readonly chatId: string;
  readonly eventId: string | null;
  readonly orderId: string | null;
  readonly market: string;
  readonly signal: Signal;
  readonly status: TradeLogStatus;
  readonly reason: string | null;
  readonly percentage: number;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly atMs: number;
}

export async function insertTradeLogEntries(
  db: Db,
  entries: readonly NewTradeLogEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += ROWS_PER_STATEMENT) {
    await db
      .insertInto("trade_log")
      .values(
        entries.slice(start, start + ROWS_PER_STATEMENT).map((entry) => ({
          id: entry.id,
          agent_id: entry.agentId,
          chat_id: entry.chatId,
          event_id: entry.eventId,
          order_id: entry.orderId,
          market: entry.market,
          signal: entry.signal,
          type: tradeType(entry.signal),
          side: tradeSide(entry.signal, kindOf(entry.market)),
          status: entry.status,
          reason: entry.reason,
          percentage: entry.percentage,
          base_decimals: entry.baseDecimals,
          quote_decimals: entry.quoteDecimals,
          at: new Date(entry.atMs),
        })),
      )
      .execute();
  }
}

/** What became known of an order; figures left out stay as they are. Base and quote units, price with six decimals. */
export interface TradeLogChange {
  readonly status: TradeLogStatus;
  readonly reason: string | null;
  readonly atMs?: number;
  readonly side?: TradeSide;
  readonly percentage?: number;
  readonly baseSize?: bigint;
  readonly quoteTotal?: bigint;
  readonly price?: bigint;
  readonly fee?: bigint;
  readonly signature?: string;
}

/** Brings an order's line of the trade log up to date. */
export async function updateTradeLogOfOrder(
  db: Db,
  orderId: string,
  change: TradeLogChange,
): Promise<void> {
  await db
    .updateTable("trade_log")
    .set({
      status: change.status,
      reason: change.reason,
      ...(change.atMs === undefined ? {} : { at: new Date(change.atMs) }),
      ...(change.side === undefined ? {} : { side: change.side }),
      ...(change.percentage === undefined ? {} : { percentage: change.percentage }),
      ...(change.baseSize === undefined ? {} : { base_size: change.baseSize.toString() }),
      ...(change.quoteTotal === undefined ? {} : { quote_total: change.quoteTotal.toString() }),
      ...(change.price === undefined ? {} : { price: change.price.toString() }),
      ...(change.fee === undefined ? {} : { fee: change.fee.toString() }),
      ...(change.signature === undefined ? {} : { signature: change.signature }),
    })
    .where("order_id", "=", orderId)
    .execute();
}
