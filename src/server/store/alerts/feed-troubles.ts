import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

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
    await on(db).change`delete from feed_troubles where feed = ${feed}`;
    return;
  }
  await on(db).change`
    insert into feed_troubles (feed, text, since)
    values (${feed}, ${trouble.text}, ${new Date(trouble.sinceMs)})
    on conflict (feed) do update set text = excluded.text`;
}

/** Removes the troubles of feeds that are not in the list. */
export async function keepFeedTroubles(db: Db, feeds: readonly string[]): Promise<void> {
  await on(db).change`delete from feed_troubles where feed <> all(${feeds})`;
}

/** Returns the troubles that last, by feed. */
export async function readFeedTroubles(db: Db): Promise<ReadonlyMap<string, FeedTrouble>> {
  const rows = await on(db).rows<{ feed: string; text: string; since: Date }>`
    select feed, text, since from feed_troubles`;
  return new Map(rows.map(({ feed, text, since }) => [feed, { text, sinceMs: since.getTime() }]));
}
