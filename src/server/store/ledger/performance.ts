import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { LedgerKind } from "../../../domain/ledger/entry.ts";
import { FLOW_KINDS } from "../../../domain/ledger/equity-steps.ts";
import type { PendingBook } from "../../../domain/ledger/record-movements.ts";
import type { BookedFlow, Span } from "../../../domain/performance/account-curve.ts";
import { PRICE_DECIMALS } from "../../../domain/market.ts";
import type { PlanEnd } from "../../../domain/plan/plan.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { inRange, type LedgerRange } from "./ledger.ts";
import { bookRows } from "./pending-entries.ts";
import { SHORTEST_GAP_MS } from "../../../domain/performance/range.ts";
import type { ClosedSums } from "../../../domain/measures/trade-figures.ts";

/** Sum of the entries of one kind. `isLamports`: SOL for the network, which is not part of the traded capital. */
export interface KindSum {
  readonly kind: LedgerKind;
  readonly asset: string;
  readonly isLamports: boolean;
  readonly amount: bigint;
  readonly realised: bigint;
}

/** Sums an agent's entries of a range by kind, with the pending ones. */
export async function sumKinds(
  db: Db,
  agentId: AgentId,
  pending: PendingBook,
  { fromMs, toMs }: LedgerRange,
): Promise<readonly KindSum[]> {
  const { rows } = await sql<{
    kind: LedgerKind;
    asset: string;
    is_lamports: boolean;
    amount: string;
    realised: string;
  }>`
    select kind, asset, place in ('vault_sol', 'wallet', 'platform') as is_lamports,
      sum(amount)::text as amount, coalesce(sum(realised), 0)::text as realised
    from (${bookRows(agentId, pending)}) as book
    where at >= ${new Date(fromMs)} and at < ${new Date(toMs)}
    group by kind, asset, is_lamports`.execute(db);
  return rows.map((row) => ({
    kind: row.kind,
    asset: row.asset,
    isLamports: row.is_lamports,
    amount: BigInt(row.amount),
    realised: BigInt(row.realised),
  }));
}

/** Returns an agent's deposits and withdrawals of a token in a range, oldest first. */
export async function listFlowsOf(
  db: Db,
  agentId: AgentId,
  asset: string,
  range: LedgerRange,
): Promise<readonly BookedFlow[]> {
  const rows = await on(db).rows<{ at: Date; amount: string }>`
    select at, amount from ledger_entries
    where ${inRange({ agentId }, range)} and kind = any(${FLOW_KINDS}) and place <> 'vault_sol' and asset = ${asset}
    order by at, seq`;
  return rows.map(({ at, amount }) => ({ atMs: at.getTime(), amount: BigInt(amount) }));
}

/** Median and 95th percentile of the waits of a number of orders, milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly orders: number;
}

/** How the filled orders of a range were carried out. */
export interface ExecutionSums {
  /**
   * Fills against the prices the orders were decided at, quote base units, negative is worse; null when no order filled
   * or a market's decimals are unknown.
   */
  readonly slippage: bigint | null;
  /** Null without any order of an alert. */
  readonly alertToSent: Latency | null;
  readonly alertToFilled: Latency | null;
}

/** Decimals of the quote token, and of the base of each known market. */
export interface ExecutionScales {
  readonly quoteDecimals: number;
  readonly baseDecimals: ReadonlyMap<string, number>;
}

interface ExecutionRow {
  readonly slippage: string | null;
  readonly is_known: boolean;
  readonly sent: readonly number[] | null;
  readonly sent_count: number;
  readonly filled: readonly number[] | null;
  readonly filled_count: number;
}

/** Sums the fully or partially filled orders of a range. */
export async function sumExecution(
  db: Db,
  agentId: AgentId,
  { fromMs, toMs }: LedgerRange,
  { quoteDecimals, baseDecimals }: ExecutionScales,
): Promise<ExecutionSums> {
  // A reference price has the price's decimals per whole asset
  const units = [...baseDecimals].map(([market, decimals]) => [
    market,
    (10n ** BigInt(decimals + PRICE_DECIMALS)).toString(),
  ]);
  const perQuote = (10n ** BigInt(quoteDecimals)).toString();
  const { rows } = await sql<ExecutionRow>`
    with filled as (
      select orders.intent ->> 'side' as side, fills.quote,
        fills.base * ${perQuote}::numeric * (orders.intent ->> 'referencePrice')::numeric as worth,
        (${JSON.stringify(Object.fromEntries(units))}::jsonb ->> (orders.intent ->> 'marketId'))::numeric as unit,
        trunc(extract(epoch from event.received_at) * 1000) as received,
        trunc(extract(epoch from orders.submitted_at) * 1000) as sent,
        trunc(extract(epoch from orders.settled_at) * 1000) as settled
      from orders
      join lateral (
        select sum(base_size) as base, sum(quote_size) as quote from order_fills
        where order_id = orders.id
      ) as fills on fills.base > 0
      left join alert_events as event on event.id = orders.event_id
      where orders.agent_id = ${agentId} and orders.intent is not null
        and orders.submitted_at >= ${new Date(fromMs)} and orders.submitted_at < ${new Date(toMs)}
    ), priced as (
      select unit, greatest(0, sent - received)::float8 as sent_after,
        greatest(0, settled - received)::float8 as filled_after, received, sent, settled,
        case side when 'long' then 1 else -1 end
          * (sign(worth) * div(2 * abs(worth) + unit, 2 * unit) - quote) as slippage
      from filled
    )
    select sum(slippage)::text as slippage, coalesce(bool_and(unit is not null), false) as is_known,
      percentile_disc(array[0.5, 0.95]) within group (order by sent_after)
        filter (where received is not null and sent is not null) as sent,
      count(*) filter (where received is not null and sent is not null)::int as sent_count,
      percentile_disc(array[0.5, 0.95]) within group (order by filled_after)
        filter (where received is not null and settled is not null) as filled,
      count(*) filter (where received is not null and settled is not null)::int as filled_count
    from priced`.execute(db);
  const row = rows[0];
  const latency = (waits: readonly number[] | null, orders: number): Latency | null => {
    const [p50, p95] = waits ?? [];
    return p50 === undefined || p95 === undefined ? null : { p50, p95, orders };
  };
  if (row === undefined) return { slippage: null, alertToSent: null, alertToFilled: null };
  return {
    slippage: row.is_known && row.slippage !== null ? BigInt(row.slippage) : null,
    alertToSent: latency(row.sent, row.sent_count),
    alertToFilled: latency(row.filled, row.filled_count),
  };
}

/** Counts what of the plan ended positions of an agent, or parts of them, by trades of a time span. */
export async function countPlanEnds(
  db: Db,
  agentId: AgentId,
  { fromMs, toMs }: Span,
): Promise<{ by: PlanEnd; count: number }[]> {
  return on(db).rows<{ by: PlanEnd; count: number }>`
    select plan_act as by, count(distinct coalesce(exit_id, orders.id))::int as count
    from trade_log join orders on orders.id = trade_log.order_id
    where trade_log.agent_id = ${agentId} and status = 'success' and plan_act <> 'add'
      and at >= ${new Date(fromMs)} and at < ${new Date(toMs)}
    group by plan_act order by count desc, plan_act`;
}

/** Times of a performance, Unix milliseconds. */
interface PositionTimes {
  /** Positions closed from then on are counted. */
  readonly fromMs: number;
  /** Start of the time whose share with an open position is asked. */
  readonly begunMs: number;
  /** Time of the first point, which may be before that. */
  readonly recordedMs: number;
  readonly nowMs: number;
}

/** An agent's positions according to the ledger. */
interface BookedPositions {
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
