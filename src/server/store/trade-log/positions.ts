import type { NotNull } from "kysely";
import { type AgentId, type OwnerAddress, parseAgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

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
  const rows = await db
    .selectFrom("agents")
    .innerJoinLateral(
      (join) =>
        join
          .selectFrom("trade_log")
          .select([
            "trade_log.market",
            "trade_log.side",
            "trade_log.base_size",
            "trade_log.base_decimals",
            "trade_log.signature",
            "trade_log.at",
            "trade_log.seq",
          ])
          .whereRef("trade_log.agent_id", "=", "agents.id")
          .where("trade_log.status", "=", "success")
          .where("trade_log.type", "=", "market")
          .where("trade_log.base_decimals", "is not", null)
          .$narrowType<{ base_decimals: NotNull }>()
          .orderBy("trade_log.seq", "desc")
          .limit(limit)
          .as("filled"),
      (join) => join.onTrue(),
    )
    .select([
      "agents.id as agent_id",
      "filled.market",
      "filled.side",
      "filled.base_size",
      "filled.base_decimals",
      "filled.signature",
      "filled.at",
    ])
    .where("agents.owner", "=", owner)
    .orderBy("filled.seq", "desc")
    .execute();
  return rows.map((row) => ({
    agentId: parseAgentId(row.agent_id),
    market: row.market,
    side: row.side,
    baseSize: BigInt(row.base_size),
    baseDecimals: row.base_decimals,
    signature: row.signature,
    at: row.at,
  }));
}
