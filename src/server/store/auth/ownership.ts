import type { Access } from "../../../contract/route.ts";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

export type OwnedKind = Exclude<Extract<Access, { kind: "owner" }>["of"], "wallet">;

/**
 * Returns whether the object exists and belongs to the wallet, in one lookup that costs the same for foreign and
 * unknown ids.
 */
export async function isOwner(
  db: Db,
  kind: OwnedKind,
  id: string,
  wallet: OwnerAddress,
): Promise<boolean> {
  const row = await ownedRow(db, kind, id, wallet);
  return row !== undefined;
}

/** Returns whether the wallet owns any record. */
export async function isKnownWallet(db: Db, wallet: OwnerAddress): Promise<boolean> {
  const row = await db
    .selectFrom("chats")
    .select("id")
    .where("owner", "=", wallet)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function ownedRow(db: Db, kind: OwnedKind, id: string, wallet: OwnerAddress) {
  switch (kind) {
    case "chat":
      return db
        .selectFrom("chats")
        .select("id")
        .where("id", "=", id)
        .where("owner", "=", wallet)
        .executeTakeFirst();
    case "agent":
      return db
        .selectFrom("agents")
        .select("id")
        .where("id", "=", id)
        .where("owner", "=", wallet)
        .executeTakeFirst();
    case "rule":
    case "tradeLogEntry":
    case "transaction":
      return db
        .selectFrom(TABLE_OF[kind])
        .innerJoin("agents", "agents.id", "agent_id")
        .select("agents.id")
        .where(`${TABLE_OF[kind]}.id`, "=", id)
        .where("agents.owner", "=", wallet)
        .executeTakeFirst();
  }
}

const TABLE_OF = {
  rule: "rules",
  tradeLogEntry: "trade_log",
  transaction: "custody_transactions",
} as const;
