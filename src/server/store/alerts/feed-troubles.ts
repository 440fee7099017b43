import { sql } from "kysely";
import type { Db } from "../postgres/db.ts";

/** Reason why conditions on a feed cannot fire at present. */
export interface FeedTrouble {
  /** One sentence. */
  readonly text: string;
  readonly sinceMs: number;
}

/** Stores a feed's trouble, or that it has none; the time since which it lasts stays the first one. */
export async function saveFeedTrouble(
  db: Db,
  feed: string,
  trouble: FeedTrouble | null,
): Promise<void> {
  if (trouble === null) {
    await db.deleteFrom("feed_troubles").where("feed", "=", feed).execute();
    return;
  }
  await db
    .insertInto("feed_troubles")
    .values({ feed, text: trouble.text, since: new Date(trouble.sinceMs) })
    .onConflict((conflict) => conflict.column("feed").doUpdateSet({ text: trouble.text }))
    .execute();
}

/** Removes the troubles of feeds that are not in the list. */
export async function keepFeedTroubles(db: Db, feeds: readonly string[]): Promise<void> {
  await sql`delete from feed_troubles where feed <> all(${feeds})`.execute(db);
}

/** Returns the troubles that last, by feed. */
export async function readFeedTroubles(db: Db): Promise<ReadonlyMap<string, FeedTrouble>> {
  const rows = await db.selectFrom("feed_troubles").select(["feed", "text", "since"]).execute();
  return new Map(rows.map(({ feed, text, since }) => [feed, { text, sinceMs: since.getTime() }]));
}
