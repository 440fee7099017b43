import type { AgentId, ChatId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

/** A trade log entry for an action of the owner's wallet. Sizes in base units. */
export interface OwnerEntry {
  readonly id: string;
  readonly agentId: AgentId;
  readonly chatId: ChatId;
  readonly market: string;
  readonly signal: "CLOSE_LONG" | "CLOSE_SHORT" | "MOVE_ASSET";
  readonly type: "market" | "transfer";
  readonly side: "buy" | "sell" | "other";
  readonly baseSize: bigint;
  readonly baseDecimals: number;
  readonly quoteTotal: bigint;
  readonly quoteDecimals: number;
  readonly price: bigint | null;
  readonly fee: bigint | null;
  readonly signature: string;
  readonly atMs: number;
}

/** Percentage of a position in an owner's entry: owners close and move whole positions. */
const WHOLE = 100;

/** Inserts entries of one agent's trade log; existing ones are kept. */
export async function insertOwnerEntries(db: Db, entries: readonly OwnerEntry[]): Promise<void> {
  await db
    .insertInto("trade_log")
    .values(
      entries.map((entry) => ({
        id: entry.id,
        agent_id: entry.agentId,
        chat_id: entry.chatId,
        market: entry.market,
        signal: entry.signal,
        type: entry.type,
        side: entry.side,
        status: "success" as const,
        by_owner: true,
        base_size: entry.baseSize.toString(),
        base_decimals: entry.baseDecimals,
        percentage: WHOLE,
        quote_total: entry.quoteTotal.toString(),
        quote_decimals: entry.quoteDecimals,
        price: entry.price?.toString() ?? null,
        fee: entry.fee?.toString() ?? null,
        signature: entry.signature,
        at: new Date(entry.atMs),
      })),
    )
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Returns whether the owner closed positions of an agent in this application since a time. */
export async function hasOwnerClosedSince(db: Db, agentId: AgentId, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom("custody_transactions")
    .select("id")
    .where("agent_id", "=", agentId)
    .where("intent", "in", ["close-positions", "delete"])
    .where("state", "=", "confirmed")
    .where("settled_at", ">=", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
