import { sql } from "kysely";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

/**
 * Locks the wallet until the transaction ends, so that quota checks and insertions of one wallet run one after another.
 */
export async function lockWallet(tx: Db, wallet: OwnerAddress): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${wallet}, 0))`.execute(tx);
}

export async function countOwned(
  tx: Db,
  table: "chats" | "agents",
  wallet: OwnerAddress,
): Promise<number> {
  const row = await tx
    .selectFrom(table)
    .select((count) => count.fn.countAll<string>().as("count"))
    .where("owner", "=", wallet)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns the total size in bytes of the messages in the wallet's chats. */
export async function countMessageBytes(tx: Db, wallet: OwnerAddress): Promise<number> {
  const row = await tx
    .selectFrom("messages")
    .innerJoin("chats", "chats.id", "messages.chat_id")
    .select(sql<string | null>`sum(octet_length(content))`.as("bytes"))
    .where("chats.owner", "=", wallet)
    .executeTakeFirstOrThrow();
  return Number(row.bytes ?? 0);
}
