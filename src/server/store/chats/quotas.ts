import { sql } from "kysely";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/**
 * Locks the wallet until the transaction ends, so that quota checks and insertions of one wallet run one after another.
 */
export async function lockWallet(tx: Db, wallet: OwnerAddress): Promise<void> {
  await on(tx).lock(wallet);
}

export async function countOwned(
  tx: Db,
  table: "chats" | "agents",
  wallet: OwnerAddress,
): Promise<number> {
  const { count } = await on(tx).only<{ count: string }>`
    select count(*) as count from ${sql.table(table)} where owner = ${wallet}`;
  return Number(count);
}

/** Returns the total size in bytes of the messages in the wallet's chats. */
export async function countMessageBytes(tx: Db, wallet: OwnerAddress): Promise<number> {
  const { bytes } = await on(tx).only<{ bytes: string | null }>`
    select sum(octet_length(content)) as bytes from messages join chats on chats.id = messages.chat_id
    where chats.owner = ${wallet}`;
  return Number(bytes ?? 0);
}
