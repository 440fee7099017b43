import { sql } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { Db, Unparsed } from "../postgres/db.ts";

/** The recorded entry price of the position an agent holds on its market. */
export interface OpenEntry {
  readonly agentId: AgentId;
  readonly side: "long" | "short";
  /** Quote units per whole asset. Used by conditions only, never as an amount of money. */
  readonly entryPrice: number;
  readonly filledAt: Date;
}

/**
 * Returns the entries of agents with an open position by their own records: the last filled opening order, unless as
 * much was closed or withdrawn since. The closing half of a reversal has the signal of the side it opens next.
 */
export async function readOpenEntries(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<ReadonlyMap<AgentId, OpenEntry>> {
  if (agentIds.length === 0) return new Map();
  const { rows } = await sql<Unparsed<OpenEntry>>`
    select agents.id as "agentId",
      case opened.signal when 'OPEN_LONG' then 'long' else 'short' end as side,
      (opened.quote_total::numeric * power(10::numeric, opened.base_decimals - opened.quote_decimals)
        / opened.base_size)::float8 as "entryPrice",
      opened.at as "filledAt"
    from agents join lateral (
      select trade_log.signal, quote_total, base_size, base_decimals, quote_decimals, at, trade_log.seq
      from trade_log left join orders on orders.id = order_id
      where trade_log.agent_id = agents.id and market = agents.market_id and status = 'success'
        and trade_log.signal in ('OPEN_LONG', 'OPEN_SHORT') and base_size > 0
        and (intent ->> 'reduceOnly')::boolean is not true
      order by trade_log.seq desc limit 1
    ) as opened on true
    where agents.id = any(${agentIds}) and opened.base_size > (
      select coalesce(sum(base_size), 0) from trade_log left join orders on orders.id = order_id
      where trade_log.agent_id = agents.id and market = agents.market_id and status = 'success'
        and (trade_log.signal like 'CLOSE_%' or trade_log.signal = 'MOVE_ASSET'
          or (intent ->> 'reduceOnly')::boolean) and trade_log.seq > opened.seq
    )`.execute(db);
  return new Map(
    rows.map((row) => {
      const agentId = parseAgentId(row.agentId);
      return [agentId, { ...row, agentId }];
    }),
  );
}
