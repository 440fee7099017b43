import { type Selectable, sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId } from "../../../domain/ids.ts";
import type { LedgerBalance } from "../../../domain/ledger/balance.ts";
import { heldKey, type HeldByMarket } from "../../../domain/ledger/record-movements.ts";
import type { BookedEntry, LedgerKind } from "../../../domain/ledger/entry.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import type { LedgerEntryTable } from "../postgres/tables.ts";

/** Owner of a ledger: one agent, or a wallet on one network, deleted agents included. */
export type LedgerOwner =
  | { readonly agentId: AgentId }
  | { readonly owner: OwnerAddress; readonly network: Network };

/** Start (inclusive) and end (exclusive) in Unix milliseconds. */
export interface LedgerRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A stored entry with its position in the booking order. */
export interface StoredEntry extends BookedEntry {
  readonly seq: bigint;
  readonly agentId: AgentId;
}

/** Position in the order of entries; entries of one block are in booking order. */
export interface EntryCursor {
  readonly atMs: number;
  readonly seq: bigint;
}

/** Returns the condition on the agents of a ledger, common to all reads. */
export function ofOwner(owner: LedgerOwner) {
  return "agentId" in owner
    ? sql<boolean>`agent_id = ${owner.agentId}`
    : sql<boolean>`owner = ${owner.owner} and network = ${owner.network}`;
}

/** Returns the condition on the rows of a ledger within a range. */
export const inRange = (owner: LedgerOwner, { fromMs, toMs }: LedgerRange) =>
  sql<boolean>`${ofOwner(owner)} and at >= ${new Date(fromMs)} and at < ${new Date(toMs)}`;

export interface EntryFilter {
  readonly range: LedgerRange;
  readonly kinds?: readonly LedgerKind[];
  /** Only entries before this position, newest first. */
  readonly before?: EntryCursor;
  readonly limit: number;
}

/** Returns the entries of a range, newest first. */
export async function listEntries(
  db: Db,
  owner: LedgerOwner,
  { range, kinds, before, limit }: EntryFilter,
): Promise<readonly StoredEntry[]> {
  const ofKinds = kinds === undefined ? sql`` : sql`and kind = any(${kinds})`;
  const older =
    before === undefined
      ? sql``
      : sql`and (at, seq) < (${new Date(before.atMs)}, ${String(before.seq)}::bigint)`;
  const rows = await on(db).rows<EntryRow>`
    select * from ledger_entries where ${inRange(owner, range)} ${ofKinds} ${older}
    order by at desc, seq desc limit ${limit}`;
  return rows.map(toEntry);
}

export type EntryRow = Selectable<LedgerEntryTable>;

/** Returns the entry of a stored row. */
export function toEntry(row: EntryRow): StoredEntry {
  const { base_market: market, base_amount: base, held_base: held } = row;
  return {
    signature: row.signature,
    kind: row.kind,
    market: row.market,
    amount: BigInt(row.amount),
    ...(market === null || base === null
      ? {}
      : { base: { marketId: market, decimals: scaleOf(row), amount: BigInt(base) } }),
    ...(held === null
      ? {}
      : {
          held: {
            base: BigInt(held),
            cost: toUnits(row.held_cost),
            fees: toUnits(row.held_fees),
          },
        }),
    realised: toUnits(row.realised),
    realisedFees: toUnits(row.realised_fees),
    atMs: row.at.getTime(),
    seq: BigInt(row.seq),
    agentId: parseAgentId(row.agent_id),
    index: row.n,
    place: row.place,
    subAccount: row.sub_account,
    asset: row.asset,
    decimals: row.decimals,
    slot: BigInt(row.slot),
  };
}

const toUnits = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Returns the decimals of an amount; throws when they are missing, because the amount would be shown wrong. */
function scaleOf({ seq, base_decimals: scale }: EntryRow): number {
  if (scale === null) throw new Error(`Entry ${seq} of the book has an amount without its scale`);
  return scale;
}

/** Returns the sum of every account of an agent's ledger, or of its entries up to one. */
export async function sumLedger(
  db: Db,
  agentId: AgentId,
  lastSeq?: bigint,
): Promise<readonly LedgerBalance[]> {
  const upTo = lastSeq === undefined ? sql`` : sql`and seq <= ${lastSeq.toString()}`;
  const sums = await on(db).rows<SumRow>`
    select place, sub_account, market, asset, max(decimals) as decimals, sum(amount)::text as amount from (
      select place, sub_account, market, asset, decimals, amount from ledger_entries
      where agent_id = ${agentId} ${upTo}
      union all
      select place, sub_account, market, base_market, base_decimals, base_amount from ledger_entries
      where agent_id = ${agentId} and base_market <> asset ${upTo}
    ) as changes group by place, sub_account, market, asset`;
  return toBalances(sums);
}

type SumRow = Pick<EntryRow, "place" | "sub_account" | "market" | "asset" | "decimals" | "amount">;

const toBalances = (rows: readonly SumRow[]): readonly LedgerBalance[] =>
  rows.map(({ sub_account: subAccount, amount, ...row }) => ({
    ...row,
    subAccount,
    amount: BigInt(amount),
  }));

/** Returns the holdings of each market after its newest entry. */
export async function readHeld(db: Db, agentId: AgentId): Promise<HeldByMarket> {
  const rows = await on(db).rows<EntryRow>`
    select distinct on (place, sub_account, base_market) * from ledger_entries
    where agent_id = ${agentId} and base_market is not null
    order by place, sub_account, base_market, seq desc`;
  return new Map(
    rows.map(toEntry).flatMap((entry) => {
      const key = heldKey(entry);
      return key === null || entry.held === undefined ? [] : [[key, entry.held]];
    }),
  );
}

/** Returns the interest booked in each account of an agent's ledger. */
export async function sumInterest(db: Db, agentId: AgentId): Promise<readonly LedgerBalance[]> {
  return toBalances(
    await on(db).rows<SumRow>`
      select place, sub_account, market, asset, max(decimals) as decimals, sum(amount)::text as amount
      from ledger_entries where agent_id = ${agentId} and kind = 'interest'
      group by place, sub_account, market, asset`,
  );
}

/** Returns an agent's entries after one, in the order they were booked. */
export async function listEntriesAfter(
  db: Db,
  agentId: AgentId,
  seq: bigint,
): Promise<readonly StoredEntry[]> {
  const rows = await on(db).rows<EntryRow>`
    select * from ledger_entries where agent_id = ${agentId} and seq > ${seq.toString()} order by seq`;
  return rows.map(toEntry);
}
