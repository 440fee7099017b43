import type { Db } from "../postgres/db.ts";

/** A line of the trade log about what the owner did with the wallet. Sizes in base units. */
export interface OwnerEntry {
  readonly id: string;
  readonly agentId: string;
  readonly chatId: string;
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

/** Share of a position that an owner's line is about, in percent: owners close and move all of it. */
const WHOLE = 100;

/** Adds lines of one agent to its trade log; those that are there already stay as they are. */
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

/** Says whether the owner closed positions of an agent here since then. */
export async function hasOwnerClosedSince(db: Db, agentId: string, since: Date): Promise<boolean> {
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
