import { type Selectable, sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId } from "../../../domain/ids.ts";
import type { LedgerBalance } from "../../../domain/ledger/balance.ts";
import { heldKey, type HeldByMarket } from "../../../domain/ledger/record-movements.ts";
import type { BookedEntry, LedgerKind, LedgerPlace } from "../../../domain/ledger/entry.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";
import type { LedgerEntryTable } from "../schema/ledger-tables.ts";

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
  const rows = await db
    .selectFrom("ledger_entries")
    .selectAll()
    .where(ofOwner(owner))
    .where("at", ">=", new Date(range.fromMs))
    .where("at", "<", new Date(range.toMs))
    .$if(kinds !== undefined, (query) => query.where("kind", "in", kinds ?? []))
    .$if(before !== undefined, (query) =>
      query.where(
        sql<boolean>`(at, seq) < (${new Date(before?.atMs ?? 0)}, ${String(before?.seq ?? 0n)}::bigint)`,
      ),
    )
    .orderBy("at", "desc")
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** Returns the entry of a stored row. */
export function toEntry(row: Selectable<LedgerEntryTable>): StoredEntry {
  return {
    ...toTradePart(row),
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

/** The fields of an entry needed to follow positions. */
export type TradePart = Pick<
  BookedEntry,
  | "signature"
  | "kind"
  | "market"
  | "amount"
  | "base"
  | "held"
  | "realised"
  | "realisedFees"
  | "atMs"
>;

export const TRADE_PART_COLUMNS = [
  "seq",
  "signature",
  "kind",
  "market",
  "amount",
  "base_market",
  "base_decimals",
  "base_amount",
  "held_base",
  "held_cost",
  "held_fees",
  "realised",
  "realised_fees",
  "at",
] as const;

type TradePartRow = Pick<Selectable<LedgerEntryTable>, (typeof TRADE_PART_COLUMNS)[number]>;

/** Returns the part of a stored row that follows positions. */
export function toTradePart(row: TradePartRow): TradePart {
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
  };
}

const toUnits = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Returns the decimals of an amount; throws when they are missing, because the amount would be shown wrong. */
function scaleOf({ seq, base_decimals: scale }: TradePartRow): number {
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
  const { rows } = await sql<{
    place: LedgerPlace;
    sub_account: number;
    market: string;
    asset: string;
    decimals: number;
    amount: string;
  }>`
    select place, sub_account, market, asset, max(decimals) as decimals, sum(amount)::text as amount from (
      select place, sub_account, market, asset, decimals, amount from ledger_entries
      where agent_id = ${agentId} ${upTo}
      union all
      select place, sub_account, market, base_market, base_decimals, base_amount from ledger_entries
      where agent_id = ${agentId} and base_market <> asset ${upTo}
    ) as changes group by place, sub_account, market, asset`.execute(db);
  return rows.map((row) => ({
    place: row.place,
    subAccount: row.sub_account,
    market: row.market,
    asset: row.asset,
    decimals: row.decimals,
    amount: BigInt(row.amount),
  }));
}

/** Returns the holdings of each market after its newest entry. */
export async function readHeld(db: Db, agentId: AgentId): Promise<HeldByMarket> {
  const { rows } = await sql<Selectable<LedgerEntryTable>>`
    select distinct on (place, sub_account, base_market) * from ledger_entries
    where agent_id = ${agentId} and base_market is not null
    order by place, sub_account, base_market, seq desc`.execute(db);
  return new Map(
    rows.map(toEntry).flatMap((entry) => {
      const key = heldKey(entry);
      return key === null || entry.held === undefined ? [] : [[key, entry.held]];
    }),
  );
}

/** Returns the interest booked in each account of an agent's ledger. */
export async function sumInterest(db: Db, agentId: AgentId): Promise<readonly LedgerBalance[]> {
  const rows = await db
    .selectFrom("ledger_entries")
    .select(["place", "sub_account", "market", "asset"])
    .select((each) => [
      each.fn.max("decimals").as("decimals"),
      sql<string>`sum(amount)::text`.as("amount"),
    ])
    .where("agent_id", "=", agentId)
    .where("kind", "=", "interest")
    .groupBy(["place", "sub_account", "market", "asset"])
    .execute();
  return rows.map((row) => ({
    place: row.place,
    subAccount: row.sub_account,
    market: row.market,
    asset: row.asset,
    decimals: row.decimals,
    amount: BigInt(row.amount),
  }));
}

/** Returns an agent's entries after one, in the order they were booked. */
export async function listEntriesAfter(
  db: Db,
  agentId: AgentId,
  seq: bigint,
): Promise<readonly StoredEntry[]> {
  const rows = await db
    .selectFrom("ledger_entries")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("seq", ">", seq.toString())
    .orderBy("seq")
    .execute();
  return rows.map(toEntry);
}
