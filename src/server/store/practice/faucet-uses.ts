import { sql } from "kysely";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

/** Records a use of the faucet unless the wallet used it `limit` times since a time. Returns whether it is allowed. */
export async function recordFaucetUse(
  db: Db,
  use: {
    readonly wallet: OwnerAddress;
    readonly at: Date;
    readonly since: Date;
    readonly limit: number;
  },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`faucet_used:${use.wallet}`}, 0))`.execute(
      tx,
    );
    const { uses } = await tx
      .selectFrom("faucet_uses")
      .select((rows) => rows.fn.countAll<string>().as("uses"))
      .where("wallet", "=", use.wallet)
      .where("at", ">", use.since)
      .executeTakeFirstOrThrow();
    if (BigInt(uses) >= BigInt(use.limit)) return false;
    await tx.insertInto("faucet_uses").values({ wallet: use.wallet, at: use.at }).execute();
    return true;
  });
}

/** Deletes at most `limit` uses from before the given time, which no longer count, and returns how many. */
export async function deleteOldFaucetUses(db: Db, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom("faucet_uses")
    .select("seq")
    .where("at", "<", new Date(before))
    .limit(limit);
  const deleted = await db
    .deleteFrom("faucet_uses")
    .where("seq", "in", old)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}
