import { sql } from "kysely";
import type { Access } from "../../../contract/route.ts";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

export type OwnedKind = Exclude<Extract<Access, { kind: "owner" }>["of"], "wallet">;

const ofAgent = (table: string) =>
  sql`${sql.table(table)} as object join agents on agents.id = object.agent_id`;

/** Where an object and its owner stand. */
const OBJECTS: Readonly<Record<OwnedKind, ReturnType<typeof ofAgent>>> = {
  chat: sql`chats as object`,
  agent: sql`agents as object`,
  rule: ofAgent("rules"),
  tradeLogEntry: ofAgent("trade_log"),
  transaction: ofAgent("custody_transactions"),
};

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
  const owner = kind === "chat" || kind === "agent" ? sql`object.owner` : sql`agents.owner`;
  return on(db).has`select from ${OBJECTS[kind]} where object.id = ${id} and ${owner} = ${wallet}`;
}

/** Returns whether the wallet owns any record. */
export async function isKnownWallet(db: Db, wallet: OwnerAddress): Promise<boolean> {
  return on(db).has`select from chats where owner = ${wallet} limit 1`;
}
