import { sql } from "kysely";
import { utcDay } from "../../../domain/risk-ledger.ts";
import type { Db } from "../postgres/db.ts";

/** Deletes at most `limit` days before the given time, which no longer count, and returns how many. */
export async function deleteOldOwnerFees(db: Db, before: number, limit: number): Promise<number> {
  const deleted = await sql`
    delete from owner_fees where (owner, network, day) in (
      select owner, network, day from owner_fees where day < ${utcDay(before)}::date limit ${limit}
    )`.execute(db);
  return Number(deleted.numAffectedRows ?? 0n);
}
