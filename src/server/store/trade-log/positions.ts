import { type AgentId, type OwnerAddress, parseAgentId } from "../../../domain/ids.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** A filled order for the activity list. Size in base units. */
export interface FilledOrder {
  readonly agentId: AgentId;
  readonly market: string;
  readonly side: string;
  readonly baseSize: bigint;
  readonly baseDecimals: number;
  readonly signature: string | null;
  readonly at: Date;
}

/** Returns the newest filled orders of a wallet's agents, newest first, at most `limit` per agent. */
export async function listFilledOrders(
  db: Db,
  owner: OwnerAddress,
  limit: number,
): Promise<readonly FilledOrder[]> {
  const rows = await on(db).rows<Unparsed<Omit<FilledOrder, "baseSize">> & { baseSize: string }>`
    select agents.id as "agentId", filled.market, filled.side, filled.base_size as "baseSize",
      filled.base_decimals as "baseDecimals", filled.signature, filled.at
    from agents cross join lateral (
      select * from trade_log
      where agent_id = agents.id and status = 'success' and type = 'market' and base_decimals is not null
      order by seq desc limit ${limit}
    ) as filled
    where agents.owner = ${owner} order by filled.seq desc`;
  return rows.map((row) => ({
    ...row,
    agentId: parseAgentId(row.agentId),
    baseSize: BigInt(row.baseSize),
  }));
}
