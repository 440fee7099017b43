import { type RawBuilder, sql } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { Held, PendingEntry } from "../../../domain/ledger/entry.ts";
import {
  followPending,
  heldKey,
  type PendingBook,
} from "../../../domain/ledger/record-movements.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";
import { IS_UNBOOKED } from "./pending-writes.ts";
import { type EntryRow, type LedgerOwner, ofOwner, type StoredEntry, toEntry } from "./ledger.ts";

type PendingRow = Omit<EntryRow, "realised" | "realised_fees"> & {
  readonly effect: PendingEntry["effect"];
};

/**
 * Returns an agent's pending entries, oldest first, continued from what the book has: entries that are in the book by now
 * are left out, and those that only the chain's reader has seen. Its cost does not grow with the book.
 */
export async function readPending(db: Db, agentId: AgentId): Promise<PendingBook> {
  const rows = await on(db).rows<PendingRow>`
    select pending.*, held_base, held_cost, held_fees from pending_entries as pending left join lateral (
      select held_base, held_cost, held_fees from ledger_entries as booked
      where booked.agent_id = pending.agent_id and booked.base_market = pending.base_market
        and booked.place = pending.place and booked.sub_account = pending.sub_account
      order by booked.seq desc limit 1
    ) as held on true
    where agent_id = ${agentId} and not is_read and ${IS_UNBOOKED}
    order by slot, pending.seq`;
  const before = new Map<string, Held>();
  const pending = rows.map((row): PendingEntry => {
    const { held, ...entry } = toEntry({ ...row, realised: null, realised_fees: null });
    const key = heldKey(entry);
    if (key !== null && held !== undefined) before.set(key, held);
    return { ...entry, effect: row.effect };
  });
  return followPending(before, pending);
}

/**
 * Returns what landed and is not booked yet, oldest first: what this server's orders and owners' transactions did, and
 * what else the chain's reader has seen.
 */
export async function listUnbooked(db: Db, owner: LedgerOwner): Promise<readonly StoredEntry[]> {
  const rows = await on(db).rows<PendingRow>`
    select pending.*, null as held_base, null as held_cost, null as held_fees
    from pending_entries as pending join agents on agents.id = pending.agent_id
    where ${ofOwner(owner)} and ${IS_UNBOOKED} and not (is_read and exists (
      select from pending_entries as known
      where known.agent_id = pending.agent_id and known.signature = pending.signature
        and known.kind = pending.kind and not known.is_read))
    order by slot, pending.seq`;
  return rows.map((row) => toEntry({ ...row, realised: null, realised_fees: null }));
}

/** Removes what the chain's reader saw before, what the book has by now, and where it equals the chain, what the chain does not have up to that slot. */
export async function dropBooked(
  db: Db,
  agentId: AgentId,
  equalUntil: bigint | null,
): Promise<void> {
  await deleteRows(
    db,
    "pending_entries",
    sql`select seq::text from pending_entries as pending
      where agent_id = ${agentId} and (is_read or slot <= ${String(equalUntil ?? -1n)} or not ${IS_UNBOOKED})`,
  );
}

const BOOK_COLUMNS = sql`seq, signature, kind, place, market, asset, amount, base_market, base_amount, held_base, realised,
  realised_fees, at`;

/** Returns SQL for the rows of pending entries that the ledger does not have by then, in its columns, after all of its rows. */
export const pendingRows = (agentId: AgentId, { entries }: PendingBook): RawBuilder<unknown> => sql`
  select ${BOOK_COLUMNS} from json_to_recordset(${rowsJson(entries)}) as pending (seq bigint, signature text, kind text,
    place text, market text, asset text, amount numeric, base_market text, base_amount numeric, held_base numeric,
    realised numeric, realised_fees numeric, at timestamptz)
  where not exists (
    select from ledger_entries as booked
    where booked.agent_id = ${agentId} and booked.signature = pending.signature)`;

/** Returns SQL for the rows of an agent's book: those of the ledger and the pending ones. */
export const bookRows = (agentId: AgentId, pending: PendingBook): RawBuilder<unknown> => sql`
  select ${BOOK_COLUMNS} from ledger_entries where agent_id = ${agentId}
  union all ${pendingRows(agentId, pending)}`;

/** More than the number of any entry of a ledger. */
const AFTER_ALL = 2n ** 62n;

const rowsJson = (entries: PendingBook["entries"]): string =>
  JSON.stringify(
    entries.map(({ signature, kind, place, market, asset, amount, base, held, ...entry }, at) => ({
      seq: (AFTER_ALL + BigInt(at)).toString(),
      signature,
      kind,
      place,
      market,
      asset,
      amount: amount.toString(),
      base_market: base?.marketId,
      base_amount: base?.amount.toString(),
      held_base: held?.base.toString(),
      realised: entry.realised?.toString(),
      realised_fees: entry.realisedFees?.toString(),
      at: new Date(entry.atMs),
    })),
  );

/**
 * Returns those of some agents with money on its way in or out: a transaction of the owner that was sent or that landed
 * after the ledger last looked, or a flow that landed and is not booked yet.
 */
export async function findOpenFlows(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<ReadonlySet<AgentId>> {
  const { rows } = await sql<{ agent_id: string }>`
    select asked.agent_id from unnest(${agentIds}::text[]) as asked (agent_id)
    left join ledger_marks as mark using (agent_id)
    where exists (
      select from custody_transactions as owners where owners.agent_id = asked.agent_id
        and (owners.state = 'sent'
          or owners.state = 'confirmed' and owners.settled_at >= coalesce(mark.searched_at, '-infinity')
            and not exists (
              select from ledger_entries as booked
              where booked.agent_id = owners.agent_id and booked.signature = owners.signature))
    ) or exists (
      select from pending_entries as pending
      where pending.agent_id = asked.agent_id and kind in ('deposit', 'withdrawal', 'external') and ${IS_UNBOOKED}
    )`.execute(db);
  return new Set(rows.map(({ agent_id }) => parseAgentId(agent_id)));
}
