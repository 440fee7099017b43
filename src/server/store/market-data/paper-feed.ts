import { sql } from "kysely";
import type { Db } from "../postgres/db.ts";
import { deletesBefore, on } from "../postgres/on.ts";

/** Returns the newest bulletin of paper's prices as stored; null before the first. */
export async function readPaperBulletin(db: Db): Promise<unknown> {
  const row = await on(db).row<{ bulletin: unknown }>`select bulletin from paper_feed`;
  return row?.bulletin ?? null;
}

/** Makes a process the only one that asks the sources, unless another one does at present. */
export async function takePaperFeed(
  db: Db,
  { holder, now, until }: { readonly holder: string; readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const taken = await on(db).change`
    insert into paper_feed (holder, held_until) values (${holder}, ${until})
    on conflict (id) do update set holder = excluded.holder, held_until = excluded.held_until
    where paper_feed.holder = excluded.holder or paper_feed.held_until < ${now}`;
  return taken === 1;
}

/** Stores a bulletin of the process that asks the sources; false when another one does by now. */
export async function writePaperBulletin(
  db: Db,
  {
    holder,
    until,
    bulletin,
  }: { readonly holder: string; readonly until: Date; readonly bulletin: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // The next bulletin follows in less than a second: no commit waits for the disk
    await sql`set local synchronous_commit = off`.execute(tx);
    const written = await on(tx).change`
      update paper_feed set held_until = ${until}, bulletin = ${bulletin}::jsonb where holder = ${holder}`;
    return written === 1;
  });
}

/** Lets another process ask the sources at once. */
export async function leavePaperFeed(db: Db, holder: string): Promise<void> {
  await on(db).change`update paper_feed set held_until = 'epoch' where holder = ${holder}`;
}

/** Times without prices that are returned at most, the newest. */
const MAX_GAPS = 500;

/** A time in which an asset had no new price. */
export interface PriceGap {
  readonly from: Date;
  readonly to: Date;
}

/** Stores that an asset had no new price for a while. */
export async function addPriceGap(db: Db, asset: string, { from, to }: PriceGap): Promise<void> {
  await on(db).change`
    insert into price_gaps (asset, began_at, ended_at) values (${asset}, ${from}, ${to})
    on conflict do nothing`;
}

/** Returns the newest times without a price of an asset, oldest first. */
export async function listPriceGaps(db: Db, asset: string, since: Date): Promise<PriceGap[]> {
  const newest = await on(db).rows<PriceGap>`
    select began_at as "from", ended_at as "to" from price_gaps
    where asset = ${asset} and ended_at > ${since} order by began_at desc limit ${MAX_GAPS}`;
  return newest.toReversed();
}

/** Deletes times without prices that ended before a time. */
export const deleteOldPriceGaps = deletesBefore("price_gaps", "asset, began_at", "ended_at");
