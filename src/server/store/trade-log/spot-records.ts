import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { SpotRecords } from "../../../domain/spot-cost.ts";
import type { Db } from "../postgres/db.ts";

interface BoughtRow {
  readonly market: string;
  readonly base_size: string;
  readonly cost: string;
  readonly taken_cost: string;
}

/**
 * Returns an agent's purchases since each market was last sold out, and its owner's deposits and withdrawals.
 *
 * Assets withdrawn in kind leave at cost: the owner still has them, so this is no loss.
 */
export async function readSpotRecords(db: Db, agentId: AgentId): Promise<SpotRecords> {
  const [bought, transfers] = await Promise.all([
    sql<BoughtRow>`
      with takings as materialized (
        select market, at from trade_log
        where agent_id = ${agentId} and status = 'success' and type = 'transfer'
      ), trades as (
        select market, side, at, base_size, quote_total + coalesce(fee, 0) as cost,
          min(at) filter (where side = 'sell') over (partition by market order by seq
            rows between 1 following and unbounded following) as sold_at
        from trade_log
        where agent_id = ${agentId} and status = 'success' and side in ('buy', 'sell')
      ), buys as (
        select market, base_size, cost, sold_at,
          (select min(takings.at) from takings
            where takings.market = trades.market and takings.at >= trades.at) as taken_at
        from trades where side = 'buy'
      )
      select market,
        coalesce(sum(base_size) filter (where sold_at is null and taken_at is null), 0)::text as base_size,
        coalesce(sum(cost) filter (where sold_at is null and taken_at is null), 0)::text as cost,
        coalesce(sum(cost) filter (where taken_at < coalesce(sold_at, 'infinity')), 0)::text as taken_cost
      from buys group by market`.execute(db),
    sql<{ readonly net: string }>`
      select coalesce(sum(case intent when 'deposit' then amount else -amount end), 0)::text as net
      from custody_transactions
      where agent_id = ${agentId} and state = 'confirmed' and intent in ('deposit', 'withdraw')`.execute(
      db,
    ),
  ]);
  const taken = bought.rows.reduce((sum, row) => sum + BigInt(row.taken_cost), 0n);
  return {
    netDeposits: BigInt(transfers.rows[0]?.net ?? 0) - taken,
    bought: new Map(
      bought.rows
        .filter((row) => row.base_size !== "0")
        .map((row) => [row.market, { baseSize: BigInt(row.base_size), cost: BigInt(row.cost) }]),
    ),
  };
}
