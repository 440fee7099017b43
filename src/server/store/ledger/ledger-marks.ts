import { type Selectable, sql } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { type LedgerOwner, ofOwner } from "./ledger.ts";
import { valuesOf } from "./ledger-writes.ts";
import type { LedgerMarkTable } from "../postgres/tables.ts";

/** An account whose balance differs between ledger and chain, amounts in base units as text. */
export interface StoredDifference {
  readonly place: string;
  readonly market: string;
  readonly asset: string;
  readonly decimals: number;
  readonly booked: string;
  readonly onChain: string;
}

/** Mismatch found by a check of the ledger. */
export interface LedgerMismatch {
  /** Time of the first check that found it, in Unix milliseconds. */
  readonly sinceMs: number;
  /** First transaction after the last successful check; null when none has been booked since. */
  readonly firstSignature: string | null;
  /** Last transaction covered by a successful check; null before the first one. */
  readonly lastRightSignature: string | null;
  readonly accounts: readonly StoredDifference[];
  /** False on the first occurrence: a node may show a change before it lists the transaction. */
  readonly isConfirmed: boolean;
}

/** Read position of an agent's ledger and the result of the last check. */
export interface LedgerMark {
  /** Slot up to which every transaction is booked. */
  readonly slot: bigint;
  /** Digest of the agent's accounts at the last search. */
  readonly content: string;
  readonly searchedAtMs: number;
  readonly balancedSlot: bigint | null;
  readonly balancedSignature: string | null;
  readonly balancedAtMs: number | null;
  readonly interestIndex: bigint | null;
  /** Number of entries seen in transactions that are not final yet. */
  readonly waiting: number;
  readonly difference: LedgerMismatch | null;
}

/** Returns the read position of an agent's ledger, null before the first read. */
export async function readLedgerMark(db: Db, agentId: AgentId): Promise<LedgerMark | null> {
  const [mark = null] = await listLedgerMarks(db, { agentId });
  return mark;
}

/** Returns the read positions of one agent's ledger, or of all ledgers of a wallet. */
export async function listLedgerMarks(
  db: Db,
  owner: LedgerOwner,
): Promise<readonly (LedgerMark & { readonly agentId: AgentId })[]> {
  const rows = await on(db).rows<MarkRow>`
    select ledger_marks.*, (
      select count(*)::int from pending_entries as seen where seen.agent_id = agents.id and is_read) as waiting
    from ledger_marks join agents on agents.id = agent_id where ${ofOwner(owner)}`;
  return rows.map((row) => ({ agentId: parseAgentId(row.agent_id), ...toMark(row) }));
}

/**
 * Returns the time up to which every transaction is booked, of the agent whose ledger is furthest behind; null where
 * nothing has to be read. Deleted agents are booked to their end.
 */
export async function readCompleteUntil(db: Db, owner: LedgerOwner): Promise<Date | null> {
  const of =
    "agentId" in owner
      ? sql`agents.id = ${owner.agentId}`
      : sql`agents.owner = ${owner.owner} and network = ${owner.network}`;
  const { until } = await on(db).only<{ until: Date | null }>`
    select min(coalesce(balanced_at, agents.created_at)) as until
    from agents left join ledger_marks on ledger_marks.agent_id = agents.id
    where ${of} and (ledger_marks.agent_id is not null
      or exists (select from multisigs where multisigs.agent_id = agents.id))`;
  return until;
}

type MarkRow = Selectable<LedgerMarkTable> & Pick<LedgerMark, "waiting">;

function toMark(row: MarkRow): LedgerMark {
  return {
    slot: BigInt(row.slot),
    content: row.content,
    searchedAtMs: row.searched_at.getTime(),
    balancedSlot: row.balanced_slot === null ? null : BigInt(row.balanced_slot),
    balancedSignature: row.balanced_signature,
    balancedAtMs: row.balanced_at?.getTime() ?? null,
    interestIndex: row.interest_index === null ? null : BigInt(row.interest_index),
    waiting: row.waiting,
    difference: row.difference as LedgerMismatch | null,
  };
}

/** Stores the read position of an agent's ledger. */
export async function keepLedgerMark(
  db: Db,
  agentId: AgentId,
  mark: Omit<LedgerMark, "waiting">,
): Promise<void> {
  const values = {
    slot: mark.slot.toString(),
    content: mark.content,
    searched_at: new Date(mark.searchedAtMs),
    balanced_slot: mark.balancedSlot?.toString() ?? null,
    balanced_signature: mark.balancedSignature,
    balanced_at: mark.balancedAtMs === null ? null : new Date(mark.balancedAtMs),
    interest_index: mark.interestIndex?.toString() ?? null,
    difference: mark.difference === null ? null : JSON.stringify(mark.difference),
  };
  const columns = Object.keys(values).map((name) => sql.ref(name));
  await on(db).change`
    insert into ledger_marks ${valuesOf([{ agent_id: agentId, ...values }])}
    on conflict (agent_id) do update set ${sql.join(columns.map((name) => sql`${name} = excluded.${name}`))}`;
}

/** What is left to do in a ledger of an earlier version: its opening balance, and the fees of what it booked. */
export interface LedgerDues {
  readonly opening: boolean;
  readonly fees: boolean;
}

export async function readLedgerDues(db: Db, agentId: AgentId): Promise<LedgerDues> {
  const due = await on(db).row<LedgerDues>`
    select opening_due as opening, fees_due as fees from multisigs where agent_id = ${agentId}`;
  return due ?? { opening: false, fees: false };
}

export async function keepLedgerDues(
  db: Db,
  agentId: AgentId,
  { opening, fees }: LedgerDues,
): Promise<void> {
  await on(db).change`
    update multisigs set opening_due = ${opening}, fees_due = ${fees} where agent_id = ${agentId}`;
}

/** Returns the oldest booked transaction of an agent, null where there is none. */
export async function findFirstBooked(
  db: Db,
  agentId: AgentId,
): Promise<{ readonly signature: string; readonly slot: bigint; readonly atMs: number } | null> {
  const row = await on(db).row<{ signature: string; slot: string; at: Date }>`
    select signature, slot, at from ledger_entries where agent_id = ${agentId} order by at, seq limit 1`;
  return row && { signature: row.signature, slot: BigInt(row.slot), atMs: row.at.getTime() };
}

/** Returns the newest booked transaction of an agent and the first one after a slot, null where there is none. */
export async function findBookedEnds(
  db: Db,
  agentId: AgentId,
  afterSlot: bigint,
): Promise<{ readonly last: string | null; readonly firstAfter: string | null }> {
  const entries = sql`select signature from ledger_entries where agent_id = ${agentId}`;
  return on(db).only`
    select (${entries} order by slot desc, seq desc limit 1) as last,
      (${entries} and slot > ${afterSlot.toString()} order by slot, seq limit 1) as "firstAfter"`;
}

/**
 * Returns the number of agents whose ledger differs from the chain, and the oldest time of a last successful check, by
 * network.
 */
export async function readLedgerHealth(db: Db): Promise<
  readonly {
    readonly network: string;
    readonly different: number;
    readonly oldestBalancedAt: Date | null;
  }[]
> {
  return on(db).rows`
    select network, (count(*) filter (where difference->>'isConfirmed' = 'true'))::int as different,
      min(balanced_at) as "oldestBalancedAt"
    from ledger_marks join agents on agents.id = agent_id group by network`;
}
