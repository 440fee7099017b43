import { sql } from "kysely";
import type { AgentId, OwnerAddress } from "../../../domain/ids.ts";
import type { BookedEntry, Held, LedgerKind } from "../../../domain/ledger/entry.ts";
import { FLAT } from "../../../domain/ledger/realise.ts";
import { afterMovement, heldKey } from "../../../domain/ledger/record-movements.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { type EntryRow, toEntry } from "./ledger.ts";

export interface BookedAgent {
  readonly agentId: AgentId;
  readonly owner: OwnerAddress;
  readonly network: Network;
}

/** Locks an agent's ledger until the transaction ends, so that only one server reads on at a time. */
export async function lockLedger(tx: Db, agentId: AgentId): Promise<void> {
  await on(tx).lock(`ledger:${agentId}`);
}

/** Returns those of the transactions that have entries in an agent's ledger. */
export async function listBooked(
  db: Db,
  agentId: AgentId,
  signatures: readonly string[],
): Promise<ReadonlySet<string>> {
  if (signatures.length === 0) return new Set();
  const rows = await on(db).rows<{ signature: string }>`
    select distinct signature from ledger_entries
    where agent_id = ${agentId} and signature = any(${signatures})`;
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

/** Returns columns and values of rows, at least one, that have the same columns. */
export const valuesOf = (rows: readonly Readonly<Record<string, unknown>>[]) => sql`
  (${sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)))})
  values ${sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`))}`;

async function insertSome(
  db: Db,
  { agentId, owner, network }: BookedAgent,
  entries: readonly BookedEntry[],
  bookedAtMs: number,
): Promise<void> {
  const rows = entries.map((entry) => ({
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
    held_fees: entry.held?.fees?.toString() ?? null,
    realised_fees: entry.realisedFees?.toString() ?? null,
    slot: entry.slot.toString(),
    at: new Date(entry.atMs),
    booked_at: new Date(bookedAtMs),
  }));
  await on(db).change`
    insert into ledger_entries ${valuesOf(rows)}
    on conflict (agent_id, network, signature, kind, n) do nothing`;
}

/** Returns the number of entries of one kind that refer to a transaction. */
export async function countOfKind(
  db: Db,
  agentId: AgentId,
  signature: string,
  kind: LedgerKind,
): Promise<number> {
  const rows = await on(db).rows`
    select from ledger_entries
    where agent_id = ${agentId} and signature = ${signature} and kind = ${kind}`;
  return rows.length;
}

/**
 * Adds the fees to the entries of an earlier version: what each holding and each closing paid, computed again from the
 * first entry on. The rest of the entries stays as it was booked.
 */
export async function countFees(tx: Db, agentId: AgentId): Promise<void> {
  const held = new Map<string, Held>();
  for (let after = "0"; ;) {
    const rows = await on(tx).rows<EntryRow>`
      select * from ledger_entries
      where agent_id = ${agentId} and seq > ${after} and (base_market is not null or kind = 'fee')
      order by seq limit ${AT_ONCE}`;
    // The fee of the last one may be the next row
    const last = rows.at(rows.length < AT_ONCE ? -1 : -2);
    if (last === undefined) return;
    const counted = rows.flatMap((row, at) => {
      const entry = toEntry(row);
      const key = heldKey(entry);
      if (key === null || entry.seq > BigInt(last.seq)) return [];
      const next = rows[at + 1];
      const isSame = next?.signature === row.signature;
      const { held: fresh, realisedFees } = afterMovement(
        held.get(key) ?? FLAT,
        entry,
        isSame ? toEntry(next) : undefined,
      );
      held.set(key, fresh);
      return { seq: row.seq, held: fresh.fees?.toString(), realised: realisedFees?.toString() };
    });
    await on(tx).change`
      update ledger_entries as entry set held_fees = counted.held, realised_fees = counted.realised
      from json_to_recordset(${JSON.stringify(counted)})
        as counted (seq bigint, held numeric, realised numeric)
      where entry.seq = counted.seq and entry.held_fees is null`;
    after = last.seq;
    if (rows.length < AT_ONCE) return;
  }
}
