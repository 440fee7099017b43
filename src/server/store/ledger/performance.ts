import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { LedgerKind } from "../../../domain/ledger/entry.ts";
import { FLOW_KINDS } from "../../../domain/ledger/equity-steps.ts";
import type { PendingBook } from "../../../domain/ledger/record-movements.ts";
import type { BookedFlow, Span } from "../../../domain/performance/account-curve.ts";
import { PRICE_DECIMALS } from "../../../domain/market.ts";
import type { PlanEnd } from "../../../domain/plan/plan-end.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { inRange, type LedgerRange } from "./ledger.ts";
import { bookRows } from "./pending-entries.ts";

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
