import type { Network } from "../../domain/network.ts";
import type { Db } from "./db.ts";

/** What receiving an alert needs to know of an agent. */
export interface InboxAgent {
  readonly agentId: string;
  readonly chatId: string;
  readonly owner: string;
  readonly network: Network;
  readonly venue: string;
  readonly marketId: string;
  readonly autoTrade: "on" | "stopping" | "off";
  readonly positionSizePercent: number;
  readonly maxSignalAgeSeconds: number;
  readonly tokenVersion: number;
}

/**
 * Locks the lanes of these agents until the transaction ends and reads them.
 *
 * Always in the order of their ids: two batches can wait for each other's agents but never both at once.
 */
export async function lockInboxAgents(
  db: Db,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, InboxAgent>> {
  const locked = await db
    .selectFrom("lanes")
    .select("agent_id")
    .where("agent_id", "in", agentIds)
    .orderBy("agent_id")
    .forUpdate()
    .execute();
  if (locked.length === 0) return new Map();
  // A statement of its own: it sees what the holders before us committed while we waited
  const rows = await db
    .selectFrom("agents")
    .select([
      "id",
      "chat_id",
      "owner",
      "network",
      "venue",
      "market_id",
      "auto_trade",
      "position_size_percent",
      "max_signal_age_seconds",
      "webhook_token_version",
    ])
    .where(
      "id",
      "in",
      locked.map((lane) => lane.agent_id),
    )
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        agentId: row.id,
        chatId: row.chat_id,
        owner: row.owner,
        network: row.network,
        venue: row.venue,
        marketId: row.market_id,
        autoTrade: row.auto_trade,
        positionSizePercent: row.position_size_percent,
        maxSignalAgeSeconds: row.max_signal_age_seconds,
        tokenVersion: row.webhook_token_version,
      },
    ]),
  );
}

/** Reads the version an agent's webhook token must have, raised by one first when asked. Null without such an agent. */
export async function readTokenVersion(
  db: Db,
  agentId: string,
  options: { readonly rotates: boolean },
): Promise<number | null> {
  const row = options.rotates
    ? await db
        .updateTable("agents")
        .set((set) => ({ webhook_token_version: set("webhook_token_version", "+", 1) }))
        .where("id", "=", agentId)
        .returning("webhook_token_version")
        .executeTakeFirst()
    : await db
        .selectFrom("agents")
        .select("webhook_token_version")
        .where("id", "=", agentId)
        .executeTakeFirst();
  return row?.webhook_token_version ?? null;
}
