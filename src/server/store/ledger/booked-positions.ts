import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { Span } from "../../../domain/performance/account-curve.ts";
import { SHORTEST_GAP_MS } from "../../../domain/performance/sample-times.ts";
import type { ClosedSums } from "../../../domain/measures/trade-figures.ts";
import type { PendingBook } from "../../../domain/ledger/record-movements.ts";
import type { Db } from "../postgres/db.ts";
import { bookRows } from "./pending-entries.ts";

/** Times of a performance, Unix milliseconds. */
export interface PositionTimes {
  /** Positions closed from then on are counted. */
  readonly fromMs: number;
  /** Start of the time whose share with an open position is asked. */
  readonly begunMs: number;
  /** Time of the first point, which may be before that. */
  readonly recordedMs: number;
  readonly nowMs: number;
}

/** An agent's positions according to the ledger. */
export interface BookedPositions {
  readonly closed: ClosedSums;
  /** Time with an open position, milliseconds. */
  readonly openMs: number;
  /** Positions open while no point was recorded for so long that it may be a gap. */
  readonly unrecorded: readonly Span[];
}

interface PositionsRow {
  readonly count: number;
  readonly known: number;
  readonly wins: number;
  readonly losses: number;
  readonly won: string;
  readonly lost: string;
  readonly longest_losing_run: number;
  readonly open_ms: string;
  readonly unrecorded: readonly (readonly [from: number, to: number])[];
}

/**
 * Sums an agent's positions, with what is pending. A position is everything in a market until a transaction leaves nothing of it.
 *
 * Fees and funding belong to the position of their market, a fee without one to the first trade of its transaction. A
 * closing with an unknown result makes the whole position's result unknown; a trade that only opens has none.
 */
export async function readBookedPositions(
  db: Db,
  agentId: AgentId,
  pending: PendingBook,
  { fromMs, begunMs, recordedMs, nowMs }: PositionTimes,
): Promise<BookedPositions> {
  const { rows } = await sql<PositionsRow>`
    with entries as (
      select *, kind = 'trade' and base_market is not null and base_amount is not null as is_trade
      from (${bookRows(agentId, pending)}) as book
      where kind in ('trade', 'fee', 'funding')
    ), parts as (
      select signature, at, seq, amount, realised, base_amount, held_base, is_trade,
        case when kind <> 'trade' then amount else 0 end as cost,
        coalesce(held_base, 0) - base_amount as held_before,
        min(at) over (partition by signature) as sent_at,
        min(seq) over (partition by signature) as sent_seq,
        coalesce(case when base_amount is not null then base_market end, nullif(market, ''),
          first_value(case when is_trade then base_market end)
            over (partition by signature order by kind <> 'trade', at, seq)) as of_market
      from entries
    ), steps as (
      select of_market as market, sent_at, sent_seq, bool_or(is_trade) as has_trade,
        min(at) filter (where is_trade) as first_at, max(at) filter (where is_trade) as last_at,
        min(seq) filter (where is_trade) as trade_seq,
        coalesce((array_agg(held_base order by at desc, seq desc) filter (where is_trade))[1] = 0, false) as closes,
        sum(cost) + coalesce(sum(realised) filter (where is_trade), 0) as pnl,
        coalesce(bool_or(is_trade and realised is null and held_before <> 0
          and (held_before > 0) <> (base_amount > 0)), false) as is_unknown
      from parts where of_market is not null
      group by of_market, signature, sent_at, sent_seq
    ), numbered as (
      select *, row_number() over in_order as n, count(*) filter (where closes) over (
        in_order rows between unbounded preceding and 1 preceding) as position
      from steps window in_order as (partition by market order by sent_at, sent_seq)
    ), begun as (
      select *, min(n) filter (where has_trade) over (partition by market, position) as first_n
      from numbered
    ), positions as (
      select min(first_at) filter (where n = first_n) as opened_at,
        max(last_at) filter (where closes) as closed_at,
        max(sent_at) filter (where closes) as sent_at, max(sent_seq) filter (where closes) as sent_seq,
        max(trade_seq) filter (where closes) as trade_seq,
        case when not bool_or(is_unknown) then sum(pnl) end as pnl
      from begun where n >= first_n group by market, position
    ), closed as materialized (
      select pnl, row_number() over (order by sent_at, sent_seq, trade_seq) as n
      from positions where closed_at >= ${new Date(fromMs)}
    ), runs as (
      select count(*) filter (where pnl < 0) as length from (
        select pnl, count(*) filter (where pnl >= 0) over (order by n) as run
        from closed where pnl is not null
      ) as known group by run
    ), spans as materialized (
      select floor(extract(epoch from opened_at) * 1000)::bigint as from_ms,
        coalesce(floor(extract(epoch from closed_at) * 1000)::bigint, ${nowMs}::bigint) as to_ms
      from positions
    ), covered as (
      select greatest(0, least(to_ms, ${nowMs}::bigint) - greatest(from_ms, ${begunMs}::bigint,
        max(least(to_ms, ${nowMs}::bigint)) over (
          order by from_ms, to_ms rows between unbounded preceding and 1 preceding))) as ms
      from spans
    ), points as (
      select floor(extract(epoch from at) * 1000)::bigint as from_ms,
        floor(extract(epoch from lead(at) over (order by at)) * 1000)::bigint as next_ms
      from equity_points
      where agent_id = ${agentId} and at >= ${new Date(recordedMs)} and at <= ${new Date(nowMs)}
    ), holes as materialized (
      select from_ms, coalesce(next_ms, ${nowMs}::bigint) as to_ms from points
      where coalesce(next_ms, ${nowMs}::bigint) - from_ms > ${SHORTEST_GAP_MS}
    )
    select count(*)::int as count, count(pnl)::int as known,
      count(*) filter (where pnl > 0)::int as wins, count(*) filter (where pnl < 0)::int as losses,
      coalesce(sum(pnl) filter (where pnl > 0), 0)::text as won,
      coalesce(sum(pnl) filter (where pnl < 0), 0)::text as lost,
      coalesce((select max(length) from runs), 0)::int as longest_losing_run,
      coalesce((select sum(ms) from covered), 0)::text as open_ms,
      coalesce((select json_agg(json_build_array(from_ms, to_ms)) from spans
        where exists (
          select from holes where holes.from_ms < spans.to_ms and holes.to_ms > spans.from_ms
        )), '[]') as unrecorded
    from closed`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error("A sum without a row");
  const { count, known, wins, losses, longest_losing_run: longestLosingRun } = row;
  return {
    closed: {
      known,
      unknown: count - known,
      wins,
      losses,
      longestLosingRun,
      won: BigInt(row.won),
      lost: BigInt(row.lost),
    },
    openMs: Number(row.open_ms),
    unrecorded: row.unrecorded.map(([from, to]) => ({ fromMs: from, toMs: to })),
  };
}
