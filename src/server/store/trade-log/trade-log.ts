import { type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";
import type { ChatId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import type { TradeLogTable } from "../schema/order-tables.ts";

/** A stored trade log entry of an order's outcome; `bigint` columns are decimal text. */
export type TradeLogRow = Selectable<TradeLogTable>;

/** `trades`: what did not fail. `attention`: what failed or has a reason. */
export type LogFilter = "all" | "trades" | "attention";

const FILTERS: Readonly<Record<LogFilter, RawBuilder<SqlBool>>> = {
  all: sql`true`,
  // As the index of them says it
  trades: sql`status <> 'failed'`,
  attention: sql`(status = 'failed' or reason is not null)`,
};

/** Part of a chat's log: entries older than the one numbered `before`. */
export interface LogPage {
  readonly chatId: ChatId;
  readonly filter: LogFilter;
  /** Null for the newest. */
  readonly before: string | null;
  readonly limit: number;
}

/** Returns a part of a chat's log, newest first. */
export async function listTradeLogOf(
  db: Db,
  { chatId, filter, before, limit }: LogPage,
): Promise<TradeLogRow[]> {
  const ofChat = db
    .selectFrom("trade_log")
    .selectAll()
    .where("chat_id", "=", chatId)
    .where(FILTERS[filter]);
  const older = before === null ? ofChat : ofChat.where("seq", "<", before);
  return older.orderBy("seq", "desc").limit(limit).execute();
}

/** Returns the number of an entry of the chat; null when there is none. */
export async function findLogSeq(db: Db, chatId: ChatId, id: string): Promise<string | null> {
  const row = await db
    .selectFrom("trade_log")
    .select("seq")
    .where("chat_id", "=", chatId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.seq ?? null;
}

/** Counts the entries of a chat's whole log. */
export async function countTradeLogOf(
  db: Db,
  chatId: ChatId,
): Promise<{ trades: number; attention: number }> {
  const { rows } = await sql<{ trades: number; attention: number }>`
    select count(*) filter (where ${FILTERS.trades})::int as trades,
      count(*) filter (where ${FILTERS.attention})::int as attention
    from trade_log where chat_id = ${chatId}`.execute(db);
  return rows[0] ?? { trades: 0, attention: 0 };
}

/** An entry with its order's decision facts and the arrival time of its alert. */
export interface TradeLogRecord extends TradeLogRow {
  readonly intent: unknown;
  readonly received_at: Date | null;
}

export async function findTradeLogEntry(
  db: Db,
  chatId: ChatId,
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
