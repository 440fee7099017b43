import { sql } from "kysely";
import type { Db } from "./db.ts";

/** Runs the cheapest possible query; throws when the database cannot answer. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
