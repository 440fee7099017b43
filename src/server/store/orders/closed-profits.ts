import { type RawBuilder, sql } from "kysely";
import type { ClosedPnl } from "../../../domain/position.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { PendingBook } from "../../../domain/ledger/record-movements.ts";
import { pendingRows, readPending } from "../ledger/pending-entries.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/**
 * Returns SQL for the PnL of those of some entries of an agent's log that closed something, as rows of id and PnL: the sum
 * of what the book says that their trades realised, with the fees of both sides; no row where part of that is unknown.
 * `lines` names the entries, with id, order, signature, market and side.
 */
export const profitsOf = (
  agentId: AgentId,
  pending: PendingBook,
  lines: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  with pending as materialized (${pendingRows(agentId, pending)})
  select line.id, sum(trade.realised + trade.realised_fees) as pnl
  from ${lines} as line cross join lateral (
    select line.signature union select signature from order_fills where order_id = line.order_id
  ) as sent cross join lateral (
    select base_market, base_amount, realised, realised_fees from ledger_entries
    where agent_id = ${agentId} and signature = sent.signature and kind = 'trade'
    union all
    select base_market, base_amount, realised, realised_fees from pending
    where signature = sent.signature and kind = 'trade'
  ) as trade
  where trade.base_market = line.market and (trade.base_amount < 0) = (line.side in ('short', 'sell'))
  group by line.id having bool_and(trade.realised is not null and trade.realised_fees is not null)`;

/** Returns the PnL of the closing trades among these entries of an agent's log, by id. */
export async function readClosedPnls(
  db: Db,
  agentId: AgentId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ClosedPnl>> {
  if (ids.length === 0) return new Map();
  const pending = await readPending(db, agentId);
  const rows = await on(db).rows<{ id: string; pnl: string; entry: string }>`
    with lines as materialized (
      select * from trade_log where agent_id = ${agentId} and id = any(${ids}) and status = 'success'
    )
    select id, pnl::text, (case when side in ('short', 'sell') then quote_total - coalesce(fee, 0) - pnl
      else quote_total + coalesce(fee, 0) + pnl end)::text as entry
    from (${profitsOf(agentId, pending, sql`lines`)}) as profits join lines using (id)`;
  return new Map(
    rows.map(({ id, pnl, entry }) => [id, { pnl: BigInt(pnl), entry: BigInt(entry) }]),
  );
}
