import type { AgentId, ChatId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

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

/**
 * Inserts entries of one agent's trade log, whose lane is locked; existing ones are kept. A fill of an order of the agent
 * stands in that order's line.
 */
export async function insertOwnerEntries(db: Db, entries: readonly OwnerEntry[]): Promise<void> {
  const rows = entries.map(({ baseSize, quoteTotal, price, fee, atMs, ...entry }) => ({
    ...entry,
    baseSize: baseSize.toString(),
    quoteTotal: quoteTotal.toString(),
    price: price?.toString(),
    fee: fee?.toString(),
    at: new Date(atMs),
  }));
  await on(db).change`
    insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, by_owner, base_size,
      base_decimals, percentage, quote_total, quote_decimals, price, fee, signature, at)
    select id, "agentId", "chatId", market, signal, type, side, 'success', true, "baseSize",
      "baseDecimals", ${WHOLE}::int, "quoteTotal", "quoteDecimals", price, fee, signature, at
    from json_to_recordset(${JSON.stringify(rows)}) as entry (id text, "agentId" text, "chatId" text, market text,
      signal text, type text, side text, "baseSize" bigint, "baseDecimals" integer, "quoteTotal" bigint,
      "quoteDecimals" integer, price bigint, fee bigint, signature text, at timestamptz)
    where not exists (
      select from order_fills as fill join trade_log as line using (order_id)
      where fill.signature = entry.signature and fill.base_size > 0 and line.agent_id = entry."agentId"
        and line.market = entry.market)
    on conflict (id) do nothing`;
}

/** Returns whether the owner closed positions of an agent in this application since a time. */
export const hasOwnerClosedSince = (db: Db, agentId: AgentId, since: Date): Promise<boolean> =>
  on(db).has`
    select from custody_transactions
    where agent_id = ${agentId} and intent in ('close-positions', 'delete') and state = 'confirmed'
      and settled_at >= ${since} limit 1`;
