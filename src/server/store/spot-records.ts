import { sql } from "kysely";
import type { SpotRecords } from "../../domain/spot-cost.ts";
import type { Db } from "./db.ts";

interface BoughtRow {
  readonly market: string;
  readonly base_size: string;
  readonly cost: string;
}

/** Reads what an agent bought since each market was last sold out of, and what its owner put in and took out. */
export async function readSpotRecords(db: Db, agentId: string): Promise<SpotRecords> {
  const [bought, transfers] = await Promise.all([
    sql<BoughtRow>`
      select market, sum(base_size)::text as base_size,
        sum(quote_total + coalesce(fee, 0))::text as cost
      from trade_log as buys
      where agent_id = ${agentId} and status = 'success' and side = 'buy'
        and seq > coalesce((
          select max(seq) from trade_log
          where agent_id = ${agentId} and market = buys.market and status = 'success'
            and side = 'sell'), 0)
      group by market`.execute(db),
    sql<{ readonly net: string }>`
      select coalesce(sum(case intent when 'deposit' then amount else -amount end), 0)::text as net
      from custody_transactions
      where agent_id = ${agentId} and state = 'confirmed' and intent in ('deposit', 'withdraw')`.execute(
      db,
    ),
  ]);
  return {
    netDeposits: BigInt(transfers.rows[0]?.net ?? 0),
    bought: new Map(
      bought.rows.map((row) => [
        row.market,
        { baseSize: BigInt(row.base_size), cost: BigInt(row.cost) },
      ]),
    ),
  };
}
