import { sql } from "kysely";
import { insertAudit } from "./audit.ts";
import type { Db } from "./db.ts";

const ACTION = "faucet_used";

/** Records a use of the faucet unless the wallet used it `limit` times since then. Says whether it may. */
export async function recordFaucetUse(
  db: Db,
  use: { readonly wallet: string; readonly at: Date; readonly since: Date; readonly limit: number },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${ACTION}:${use.wallet}`}, 0))`.execute(
      tx,
    );
    const { uses } = await tx
      .selectFrom("audit_log")
      .select((rows) => rows.fn.countAll<string>().as("uses"))
      .where("wallet", "=", use.wallet)
      .where("action", "=", ACTION)
      .where("at", ">", use.since)
      .executeTakeFirstOrThrow();
    if (BigInt(uses) >= BigInt(use.limit)) return false;
    await insertAudit(tx, { at: use.at.getTime(), wallet: use.wallet, action: ACTION });
    return true;
  });
}

/** Removes at most `limit` uses from before the given time and returns how many: they only counted against the limit. */
export async function deleteOldFaucetUses(db: Db, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom("audit_log")
    .select("seq")
    .where("action", "=", ACTION)
    .where("at", "<", new Date(before))
    .limit(limit);
  const deleted = await db
    .deleteFrom("audit_log")
    .where("seq", "in", old)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}
