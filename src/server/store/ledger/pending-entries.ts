import { type RawBuilder, type Selectable, sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { Held, PendingEntry } from "../../../domain/ledger/entry.ts";
import {
  followPending,
  heldKey,
  type PendingBook,
} from "../../../domain/ledger/record-movements.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { toEntry } from "./ledger.ts";
import type { LedgerEntryTable } from "../schema/ledger-tables.ts";

type PendingRow = Omit<Selectable<LedgerEntryTable>, "realised" | "realised_fees"> & {
  readonly effect: PendingEntry["effect"];
};

/**
 * Returns an agent's pending entries, oldest first, continued from what the book has: entries that are in the book by now
 * are left out. Its cost does not grow with the book.
 */
export async function readPending(db: Db, agentId: AgentId): Promise<PendingBook> {
  const rows = await on(db).rows<PendingRow>`
    select pending.*, held_base, held_cost, held_fees from pending_entries as pending left join lateral (
      select held_base, held_cost, held_fees from ledger_entries as booked
      where booked.agent_id = pending.agent_id and booked.base_market = pending.base_market
        and booked.place = pending.place and booked.sub_account = pending.sub_account
      order by booked.seq desc limit 1
    ) as held on true
    where agent_id = ${agentId} and not exists (
      select from ledger_entries as booked
      where booked.agent_id = pending.agent_id and booked.signature = pending.signature)
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

/** Removes what the book has by now, and where it equals the chain, what the chain does not have up to that slot. */
export async function dropBooked(
  db: Db,
  agentId: AgentId,
  equalUntil: bigint | null,
): Promise<void> {
  await on(db).change`
    delete from pending_entries as pending
    where agent_id = ${agentId} and (slot <= ${String(equalUntil ?? -1n)} or exists (
      select from ledger_entries as booked
      where booked.agent_id = pending.agent_id and booked.signature = pending.signature))`;
}

/**
 * Returns SQL for the trades of a transaction in an agent's book, as rows of base and what they realised: those of the
 * ledger, or the pending ones that it does not have by then. `signature` is SQL; the cost does not grow with the book.
 */
export const tradesOf = (
  agentId: AgentId,
  { entries }: PendingBook,
  signature: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select base_market, base_amount, realised, realised_fees from ledger_entries
  where agent_id = ${agentId} and signature = ${signature} and kind = 'trade'
  union all
  select base_market, base_amount, realised, realised_fees
  from json_to_recordset(${tradesJson(entries)}) as pending (landed text, base_market text, base_amount numeric,
    realised numeric, realised_fees numeric)
  where landed = ${signature} and not exists (
    select from ledger_entries where agent_id = ${agentId} and signature = landed)`;

const tradesJson = (entries: PendingBook["entries"]): string =>
  JSON.stringify(
    entries
      .filter(({ kind }) => kind === "trade")
      .map(({ signature, base, realised, realisedFees }) => ({
        landed: signature,
        base_market: base?.marketId,
        base_amount: base?.amount.toString(),
        realised: realised?.toString(),
        realised_fees: realisedFees?.toString(),
      })),
  );
