import type { Selectable } from "kysely";
import type { Db } from "../postgres/db.ts";
import type { TradeLogTable } from "../schema/order-tables.ts";

/** A stored trade log entry of an order's outcome; `bigint` columns are decimal text. */
export type TradeLogRow = Selectable<TradeLogTable>;

/** Maximum number of failed entries returned: they may far outnumber the trades. */
const MAX_FAILED = 1_000;

/** Returns the chat's newest entries, newest first: at most `limit` that did not fail, and the newest failed ones. */
export async function listTradeLogOf(
  db: Db,
  chatId: string,
  limit: number,
): Promise<TradeLogRow[]> {
  const newest = (failed: "=" | "<>", count: number) =>
    db
      .selectFrom("trade_log")
      .selectAll()
      .where("chat_id", "=", chatId)
      .where("status", failed, "failed")
      .orderBy("seq", "desc")
      .limit(count)
      .execute();
  const [shown, failed] = await Promise.all([newest("<>", limit), newest("=", MAX_FAILED)]);
  return [...shown, ...failed].toSorted((one, other) =>
    BigInt(one.seq) < BigInt(other.seq) ? 1 : -1,
  );
}

/** An entry with its order's decision facts and the arrival time of its alert. */
export interface TradeLogRecord extends TradeLogRow {
  readonly intent: unknown;
  readonly received_at: Date | null;
}

export async function findTradeLogEntry(
  db: Db,
  chatId: string,
  id: string,
): Promise<TradeLogRecord | null> {
  const row = await db
    .selectFrom("trade_log")
    .leftJoin("orders", "orders.id", "trade_log.order_id")
    .leftJoin("alert_events", "alert_events.id", "trade_log.event_id")
    .selectAll("trade_log")
    .select(["orders.intent", "alert_events.received_at"])
    .where("trade_log.chat_id", "=", chatId)
    .where("trade_log.id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns an agent's trades in the entry's market up to and including the entry, oldest first. */
export function listTradesUpTo(db: Db, entry: TradeLogRow) {
  return db
    .selectFrom("trade_log")
    .select(["signal", "side", "base_size", "quote_total", "fee"])
    .where("agent_id", "=", entry.agent_id)
    .where("market", "=", entry.market)
    .where("status", "=", "success")
    .where("seq", "<=", entry.seq)
    .orderBy("seq")
    .execute();
}
