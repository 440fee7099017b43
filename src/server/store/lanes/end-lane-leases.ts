import type { Db } from "../postgres/db.ts";

/**
 * Ends the lane leases of a worker that is known to be dead, so that they need not expire; every worker's without a
 * name, which is only safe when no other server uses this database.
 */
export async function endAllLaneLeases(db: Db, worker?: string): Promise<void> {
  const claimed = db.updateTable("lanes").set({ claimed_by: null, claimed_until: null });
  await (
    worker === undefined
      ? claimed.where("claimed_by", "is not", null)
      : claimed.where("claimed_by", "=", worker)
  ).execute();
}
