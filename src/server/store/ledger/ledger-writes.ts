import { sql } from "kysely";
import type { AgentId, OwnerAddress } from "../../../domain/ids.ts";
import type { BookedEntry, LedgerKind } from "../../../domain/ledger/entry.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";

export interface BookedAgent {
  readonly agentId: AgentId;
  readonly owner: OwnerAddress;
  readonly network: Network;
}

/** Locks an agent's ledger until the transaction ends, so that only one server reads on at a time. */
export async function lockLedger(tx: Db, agentId: AgentId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ledger:${agentId}`}, 0))`.execute(tx);
}

/** Returns those of the transactions that have entries in an agent's ledger. */
export async function listBooked(
  db: Db,
  agentId: AgentId,
  signatures: readonly string[],
): Promise<ReadonlySet<string>> {
  if (signatures.length === 0) return new Set();
  const rows = await db
    .selectFrom("ledger_entries")
    .select("signature")
    .distinct()
    .where("agent_id", "=", agentId)
    .where("signature", "in", signatures)
    .execute();
  return new Set(rows.map(({ signature }) => signature));
}

/** Inserts entries; an entry that is already booked is kept. */
export async function insertEntries(
  db: Db,
  { agentId, owner, network }: BookedAgent,
  entries: readonly BookedEntry[],
  bookedAtMs: number,
): Promise<void> {
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    await insertSome(db, { agentId, owner, network }, entries.slice(at, at + AT_ONCE), bookedAtMs);
  }
}

/** Rows per statement; PostgreSQL accepts at most 65,535 values. */
export const AT_ONCE = 1_000;

async function insertSome(
  db: Db,
  { agentId, owner, network }: BookedAgent,
  entries: readonly BookedEntry[],
  bookedAtMs: number,
): Promise<void> {
  await db
    .insertInto("ledger_entries")
    .values(
      entries.map((entry) => ({
        agent_id: agentId,
        owner,
        network,
        signature: entry.signature,
        kind: entry.kind,
        n: entry.index,
        place: entry.place,
        sub_account: entry.subAccount,
        market: entry.market,
        asset: entry.asset,
        decimals: entry.decimals,
        amount: entry.amount.toString(),
        base_market: entry.base?.marketId ?? null,
        base_decimals: entry.base?.decimals ?? null,
        base_amount: entry.base?.amount.toString() ?? null,
        realised: entry.realised?.toString() ?? null,
        held_base: entry.held?.base.toString() ?? null,
        held_cost: entry.held?.cost?.toString() ?? null,
        slot: entry.slot.toString(),
        at: new Date(entry.atMs),
        booked_at: new Date(bookedAtMs),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["agent_id", "network", "signature", "kind", "n"]).doNothing(),
    )
    .execute();
}

/** Returns the number of entries of one kind that refer to a transaction. */
export async function countOfKind(
  db: Db,
  agentId: AgentId,
  signature: string,
  kind: LedgerKind,
): Promise<number> {
  const rows = await db
    .selectFrom("ledger_entries")
    .select("n")
    .where("agent_id", "=", agentId)
    .where("signature", "=", signature)
    .where("kind", "=", kind)
    .execute();
  return rows.length;
}
