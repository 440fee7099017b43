import { sql } from "kysely";
import type { Db } from "./db.ts";

/** Asks the database for the least there is; throws when it cannot answer. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
