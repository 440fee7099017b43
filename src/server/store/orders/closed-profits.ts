import { type RawBuilder, sql } from "kysely";
import type { ClosedPnl } from "../../../domain/closed-pnl.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { allMarkets } from "../../../venues/profiles.ts";
import type { Db } from "../postgres/db.ts";

const SPOT_MARKETS = allMarkets()
  .filter(({ kind }) => kind === "spot")
  .map(({ marketId }) => marketId);

/**
 * Returns SQL for the signal that an entry's order carried out: the closing half of a reversal is recorded with the
 * opening's signal, and its side shows that it closed. Opening a long on a spot market is buying.
 */
export const tradedSignalOf = (line: string): RawBuilder<string> => {
  const [signal, side, market] = ["signal", "side", "market"].map((name) =>
    sql.ref(`${line}.${name}`),
  );
  return sql`case
    when not starts_with(${signal}, 'OPEN_')
      or ${side} = case when ${signal} = 'OPEN_SHORT' then 'short'
        when ${market} = any(${SPOT_MARKETS}) then 'buy' else 'long' end
      then ${signal}
    when ${side} = 'sell' then 'CLOSE_LONG'
    else 'CLOSE_SHORT' end`;
};

/** Returns the PnL of the closing trades among these entries of an agent's log, by id. */
export async function readClosedPnls(
  db: Db,
  agentId: AgentId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ClosedPnl>> {
  if (ids.length === 0) return new Map();
  // An opening replaces the position, so that no trade before it is read
  const { rows } = await sql<{ id: string; pnl: string; entry: string }>`
    select id, state[4]::text as pnl, state[5]::text as entry from (
      select line.id, (
        select follow_trades(${tradedSignalOf("trade")}, trade.base_size, trade.quote_total,
          trade.fee order by trade.seq)
        from trade_log trade
        where trade.agent_id = line.agent_id and trade.market = line.market
          and trade.status = 'success' and trade.seq <= line.seq and trade.seq >= coalesce((
            select opening.seq from trade_log opening
            where opening.agent_id = line.agent_id and opening.market = line.market
              and opening.status = 'success' and opening.seq <= line.seq
              and starts_with(${tradedSignalOf("opening")}, 'OPEN_')
            order by opening.seq desc limit 1), 0)
      ) as state
      from trade_log line
      where line.agent_id = ${agentId} and line.id = any(${ids}) and line.status = 'success'
    ) as followed where state[4] is not null`.execute(db);
  return new Map(
    rows.map(({ id, pnl, entry }) => [id, { pnl: BigInt(pnl), entry: BigInt(entry) }]),
  );
}
