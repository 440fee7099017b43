import type { Selectable } from "kysely";
import type { Db } from "./db.ts";
import type { TradeLogTable } from "./schema.ts";

/** A line about an order's outcome as stored; `bigint` columns are decimal text. */
export type TradeLogRow = Selectable<TradeLogTable>;

/** Most failed entries one answer holds: there may be far more of them than of trades. */
const MAX_FAILED = 1_000;

/** The chat's newest entries, newest first; at most `limit` that did not fail, and the newest that did. */
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
