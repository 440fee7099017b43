import { sql } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { type EntryRow, type StoredEntry, toEntry } from "./ledger.ts";

/** Newest recorded equity of an account at a point in time; null before its first. */
export interface MarkedWorth {
  readonly atMs: number;
  readonly value: bigint;
  readonly netFlow: bigint;
  /** Whether a position was open at that time. */
  readonly isOpen: boolean;
}

/** An account's worth right after money moved. */
export type RecordedFlow = Pick<MarkedWorth, "atMs" | "value" | "netFlow">;

interface MarkRow {
  readonly agent_id: string;
  readonly mark: Date;
  readonly at: Date;
  readonly value: string;
  readonly net_flow: string;
  readonly is_open: boolean;
}

/** Returns the newest point of every agent at every requested time, by agent and time. */
export async function readWorthAt(
  db: Db,
  agentIds: readonly AgentId[],
  marks: readonly number[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, MarkedWorth>>> {
  const worth = new Map<string, Map<number, MarkedWorth>>();
  if (agentIds.length === 0 || marks.length === 0) return worth;
  const times = marks.map((mark) => new Date(mark));
  const { rows } = await sql<MarkRow>`
    select asked.id as agent_id, marks.mark, point.at, point.value::text as value,
      point.net_flow::text as net_flow,
      case when marks.mark - point.at <= interval '2 hours' then true else coalesce((
        select held_base <> 0 from ledger_entries
        where agent_id = asked.id and at <= marks.mark and base_market is not null
        order by at desc, seq desc limit 1
      ), false) end as is_open
    from unnest(${agentIds}::text[]) as asked (id)
    -- Agent by agent: the points of one lie beside each other
    cross join lateral (
      select mark from unnest(${times}::timestamptz[]) as mark where asked.id is not null offset 0
    ) as marks
    cross join lateral (
      select at, value, net_flow from equity_points
      where agent_id = asked.id and at <= marks.mark order by at desc limit 1
    ) as point`.execute(db);
  for (const row of rows) {
    const ofAgent = worth.get(row.agent_id) ?? new Map<number, MarkedWorth>();
    worth.set(row.agent_id, ofAgent);
    ofAgent.set(row.mark.getTime(), {
      atMs: row.at.getTime(),
      value: BigInt(row.value),
      netFlow: BigInt(row.net_flow),
      isOpen: row.is_open,
    });
  }
  return worth;
}

/** Newest movements that are read for one answer. */
const MOST_FLOWS = 5_000;

/** Reads the first point after each of a wallet's newest movements of money since a moment, by agent, oldest first. */
export async function readFlowPoints(
  db: Db,
  owner: OwnerAddress,
  network: Network,
  fromMs: number,
): Promise<ReadonlyMap<string, readonly RecordedFlow[]>> {
  const { rows } = await sql<Pick<MarkRow, "agent_id" | "at" | "value" | "net_flow">>`
    select distinct flow.agent_id, point.at, point.value::text as value, point.net_flow::text as net_flow
    from (
      select agent_id, at, seq from ledger_entries
      where owner = ${owner} and network = ${network} and at >= ${new Date(fromMs)}
        and kind in ('deposit', 'withdrawal', 'external') and place in ('vault', 'exchange')
      order by at desc, seq desc limit ${MOST_FLOWS}
    ) as flow
    cross join lateral (
      select at, value, net_flow from equity_points
      where agent_id = flow.agent_id and at >= flow.at and entry_seq >= flow.seq order by at limit 1
    ) as point
    order by point.at`.execute(db);
  const flows = new Map<string, RecordedFlow[]>();
  for (const row of rows) {
    const ofAgent = flows.get(row.agent_id) ?? [];
    flows.set(row.agent_id, ofAgent);
    ofAgent.push({
      atMs: row.at.getTime(),
      value: BigInt(row.value),
      netFlow: BigInt(row.net_flow),
    });
  }
  return flows;
}

/** Returns what came into each of a wallet's agents after some moments, by agent and moment; tokens in kind are left out. */
export async function sumInflows(
  db: Db,
  owner: OwnerAddress,
  network: Network,
  asset: string,
  since: readonly number[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, bigint>>> {
  const { rows } = await sql<{ agent_id: string; since: Date; amount: string }>`
    select agent_id, since, sum(amount)::text as amount
    from ledger_entries join unnest(${since.map((ms) => new Date(ms))}::timestamptz[]) as since on at > since
    where owner = ${owner} and network = ${network} and asset = ${asset} and amount > 0
      and kind in ('deposit', 'withdrawal', 'external') and place in ('vault', 'exchange')
    group by agent_id, since`.execute(db);
  const inflows = new Map<string, Map<number, bigint>>();
  for (const row of rows) {
    const ofAgent = inflows.get(row.agent_id) ?? new Map<number, bigint>();
    inflows.set(row.agent_id, ofAgent.set(row.since.getTime(), BigInt(row.amount)));
  }
  return inflows;
}

/** Returns the time of the earliest point of a wallet's agents; null when there is none. */
export async function readFirstPoint(
  db: Db,
  owner: OwnerAddress,
  network: Network,
): Promise<number | null> {
  const row = await on(db).row<{ at: Date }>`
    select at from equity_points where owner = ${owner} and network = ${network} order by at limit 1`;
  return row?.at.getTime() ?? null;
}

/** An agent that was deleted and whose ledger is kept. */
export interface DeletedAgent {
  readonly id: AgentId;
  readonly name: string;
  readonly marketId: string;
  readonly deletedAtMs: number;
}

/** Returns a wallet's deleted agents that ever held money on a network, the latest deleted first. */
export async function listDeletedAgents(
  db: Db,
  owner: OwnerAddress,
  network: Network,
): Promise<readonly DeletedAgent[]> {
  const { rows } = await sql<{ id: string; name: string | null; market: string; at: Date }>`
    select log.object as id, log.detail ->> 'name' as name, point.market, log.at from audit_log as log
    cross join lateral (
      select market from equity_points
      where agent_id = log.object and owner = ${owner} and network = ${network}
      order by at desc limit 1
    ) as point
    where log.wallet = ${owner} and log.action = 'agent_deleted'
    order by log.seq desc`.execute(db);
  return rows.map(({ id, name, market, at }) => ({
    id: parseAgentId(id),
    name: name ?? "",
    marketId: market,
    deletedAtMs: at.getTime(),
  }));
}

/**
 * Returns the latest inflows and outflows of a wallet's agents, newest first, without rent and other SOL for the
 * network.
 */
export async function listFlows(
  db: Db,
  owner: OwnerAddress,
  network: Network,
  limit: number,
): Promise<readonly StoredEntry[]> {
  const { rows } = await sql<EntryRow>`
    select * from ledger_entries
    where owner = ${owner} and network = ${network} and kind in ('deposit', 'withdrawal', 'external')
      and place in ('vault', 'exchange')
    order by at desc, seq desc limit ${limit}`.execute(db);
  return rows.map(toEntry);
}
