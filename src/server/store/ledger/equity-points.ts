import { sql } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { RecordedPoint } from "../../../domain/performance/account-curve.ts";
import type { Db } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";
import { inRange, type LedgerOwner, type LedgerRange } from "./ledger.ts";
import { AT_ONCE, type BookedAgent, valuesOf } from "./ledger-writes.ts";

/** Equity of an account at a time, with the price used. Amounts in base units of the asset. */
export interface EquityPoint {
  readonly agentId: AgentId;
  /** Time of the fill or flow, or of the hourly reading, in Unix milliseconds. */
  readonly atMs: number;
  readonly slot: bigint;
  readonly cause: "fill" | "flow" | "hour";
  readonly value: bigint;
  readonly asset: string;
  readonly decimals: number;
  /** Cumulative inflows less outflows since the account began; its difference between two points is the flow. */
  readonly netFlow: bigint;
  /**
   * Market of the price, and the price in quote units with six decimals per whole asset; null when no price was needed.
   */
  readonly market: string;
  readonly price: bigint | null;
  readonly priceAtMs: number | null;
  /** Last ledger entry that the value includes. */
  readonly entrySeq: bigint;
}

/** Returns the points of a range, oldest first. */
export async function listEquityPoints(
  db: Db,
  owner: LedgerOwner,
  range: LedgerRange,
  limit: number,
): Promise<readonly EquityPoint[]> {
  const rows = await on(db).rows<PointRow>`
    select * from equity_points where ${inRange(owner, range)} order by at, seq limit ${limit}`;
  return rows.map(toPoint);
}

/** Points of a curve, oldest first, and the quote token of the newest; null without a point. */
export interface CurveRead {
  readonly points: readonly RecordedPoint[];
  readonly quote: Pick<EquityPoint, "asset" | "decimals"> | null;
}

/**
 * Returns an agent's points for a curve, beginning with the last one before the range, which holds the value at its start.
 * Above `most` points only the last of each hour and those after a flow are returned, so that the curve always reaches the
 * end of the range. They come as one text: ten thousand rows would take the event loop ten times as long.
 */
export async function readCurve(
  db: Db,
  agentId: AgentId,
  { fromMs, toMs }: LedgerRange,
  most: number,
): Promise<CurveRead> {
  const from = new Date(fromMs);
  const row = await on(db).only<{ points: string | null; asset: string; decimals: number }>`
    select string_agg(floor(extract(epoch from at) * 1000)::bigint || ' ' || value || ' ' || net_flow,
        E'\n' order by at) as points,
      (array_agg(asset order by at desc))[1] as asset,
      (array_agg(decimals order by at desc))[1] as decimals
    from (
      select at, value, net_flow, asset, decimals, count(*) over () as points,
        lag(net_flow) over in_order as flow_before,
        date_trunc('hour', lead(at) over in_order, 'UTC') as next_hour
      from equity_points
      where agent_id = ${agentId} and at < ${new Date(toMs)} and at >= coalesce(
        (select max(at) from equity_points where agent_id = ${agentId} and at < ${from}), ${from})
      window in_order as (order by at)
    ) as point
    where points <= ${most} or next_hour is distinct from date_trunc('hour', at, 'UTC')
      or flow_before is distinct from net_flow`;
  if (row.points === null) return { points: [], quote: null };
  const { asset, decimals } = row;
  return { points: row.points.split("\n").map(toRecordedPoint), quote: { asset, decimals } };
}

function toRecordedPoint(line: string): RecordedPoint {
  const [atMs = "", value = "", netFlow = ""] = line.split(" ");
  return { atMs: Number(atMs), value: BigInt(value), netFlow: BigInt(netFlow) };
}

/** Returns an agent's newest point, null before the first. */
export async function readLastPoint(db: Db, agentId: AgentId): Promise<EquityPoint | null> {
  const row = await on(db).row<PointRow>`
    select * from equity_points where agent_id = ${agentId} order by at desc limit 1`;
  return row && toPoint(row);
}

/** Inserts points; an existing point of the same time is kept. */
export async function insertEquityPoints(
  db: Db,
  { owner, network }: Pick<BookedAgent, "owner" | "network">,
  points: readonly EquityPoint[],
): Promise<void> {
  const rows = points.map((point) => ({
    agent_id: point.agentId,
    owner,
    network,
    at: new Date(point.atMs),
    slot: point.slot.toString(),
    cause: point.cause,
    value: point.value.toString(),
    asset: point.asset,
    decimals: point.decimals,
    net_flow: point.netFlow.toString(),
    market: point.market,
    price: point.price?.toString() ?? null,
    price_at: point.priceAtMs === null ? null : new Date(point.priceAtMs),
    entry_seq: point.entrySeq.toString(),
  }));
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await on(db).change`
      insert into equity_points ${valuesOf(rows.slice(at, at + AT_ONCE))}
      on conflict (agent_id, at) do nothing`;
  }
}

/**
 * Thins points from before a time to the last of each UTC day; deletes at most `limit` and returns how many.
 *
 * The first point and points after a flow are kept: without them the returns before and after the flow could not be
 * separated, and every return over that day would be wrong.
 */
export async function thinEquityPoints(db: Db, before: number, limit: number): Promise<number> {
  return deleteRows(
    db,
    "equity_points",
    sql`select seq::text from equity_points as point
      where at < ${new Date(before)} and exists (
        select from equity_points as later
        where later.agent_id = point.agent_id and later.at > point.at
          and date_trunc('day', later.at, 'UTC') = date_trunc('day', point.at, 'UTC'))
        and net_flow = (
          select net_flow from equity_points as earlier
          where earlier.agent_id = point.agent_id and earlier.at < point.at
          order by earlier.at desc limit 1)
      order by at limit ${limit}`,
  );
}

export interface PointRow {
  readonly seq: string;
  readonly network: string;
  readonly agent_id: string;
  readonly at: Date;
  readonly slot: string;
  readonly cause: EquityPoint["cause"];
  readonly value: string;
  readonly asset: string;
  readonly decimals: number;
  readonly net_flow: string;
  readonly market: string;
  readonly price: string | null;
  readonly price_at: Date | null;
  readonly entry_seq: string;
}

/** Returns the point of a stored row. */
export function toPoint(row: PointRow): EquityPoint {
  return {
    agentId: parseAgentId(row.agent_id),
    atMs: row.at.getTime(),
    slot: BigInt(row.slot),
    cause: row.cause,
    value: BigInt(row.value),
    asset: row.asset,
    decimals: row.decimals,
    netFlow: BigInt(row.net_flow),
    market: row.market,
    price: row.price === null ? null : BigInt(row.price),
    priceAtMs: row.price_at?.getTime() ?? null,
    entrySeq: BigInt(row.entry_seq),
  };
}
