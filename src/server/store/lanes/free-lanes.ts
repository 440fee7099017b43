import type { Db } from "../postgres/db.ts";

/** Ends every lane lease. Only safe when no other server uses this database. */
export async function freeLanes(db: Db): Promise<void> {
  await db
    .updateTable("lanes")
    .set({ claimed_by: null, claimed_until: null })
    .where("claimed_by", "is not", null)
    .execute();
}
