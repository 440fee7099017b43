import type { Selectable } from "kysely";
import type { Db } from "./db.ts";
import type { TradeLogTable } from "./schema.ts";

/** A line about an order's outcome as stored; `bigint` columns are decimal text. */
export type TradeLogRow = Selectable<TradeLogTable>;

/** The chat's newest entries, newest first. */
export async function listTradeLogOf(
  db: Db,
  chatId: string,
  limit: number,
): Promise<TradeLogRow[]> {
  return db
    .selectFrom("trade_log")
    .selectAll()
    .where("chat_id", "=", chatId)
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
}
