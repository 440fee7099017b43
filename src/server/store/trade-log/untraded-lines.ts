import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/**
 * Deletes at most `limit` trade log entries from before the given time without a sent order, namely denied orders, with
 * their order rows, and counter resets, and returns how many.
 */
export async function deleteOldUntradedLines(
  db: Db,
  before: number,
  limit: number,
  from = 0,
): Promise<number> {
  const { gone } = await on(db).only<{ gone: number }>`
    with old as materialized (
      select id, order_id from trade_log
      where at >= ${new Date(from)} and at < ${new Date(before)}
        and (type = 'reset' or (status = 'failed' and signature is null))
      limit ${limit}
    ), denied as materialized (
      select delete_rows('orders', array(
        select id from orders where id in (select order_id from old) and state = 'denied'))
    )
    select delete_rows('trade_log', array(select id from old)) as gone from denied`;
  return gone;
}

/** Returns the time of the oldest trade log entry; reads them all. */
export async function findOldestLine(db: Db): Promise<number | null> {
  const { oldest } = await on(db).only<{ oldest: Date | null }>`
    select min(at) as oldest from trade_log`;
  return oldest?.getTime() ?? null;
}
