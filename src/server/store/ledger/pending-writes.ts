import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { PendingEntry } from "../../../domain/ledger/entry.ts";
import { lockLane } from "../agents/agents.ts";
import type { Db } from "../postgres/db.ts";
import { on, runStatement } from "../postgres/on.ts";

/** Whether the book does not have the transaction of a row named `pending`. */
export const IS_UNBOOKED = sql`not exists (
  select from ledger_entries as booked
  where booked.agent_id = pending.agent_id and booked.signature = pending.signature)`;

/** Inserts pending entries that the book does not have; takes SQL for agent, one JSON value and a further condition. */
export const INSERT_PENDING = (agent: string, entries: string, condition = "true"): string =>
  `insert into pending_entries (agent_id, signature, kind, n, place, sub_account, market, asset, decimals, amount,
    base_market, base_decimals, base_amount, effect, slot, at, is_read)
  select ${agent}, signature, kind, n, place, "subAccount", market, asset, decimals, amount,
    "baseMarket", "baseDecimals", "baseAmount", effect, slot, at, "isRead" is true
  from json_to_recordset(${entries}) as entry ("order" integer, signature text, kind text, n integer, place text, "subAccount" integer,
    market text, asset text, decimals smallint, amount numeric, "baseMarket" text, "baseDecimals" smallint,
    "baseAmount" numeric, effect text, slot bigint, at timestamptz, "isRead" boolean)
  where not exists (
    select from ledger_entries as booked where booked.agent_id = ${agent} and booked.signature = entry.signature) and ${condition}
  order by "order" on conflict do nothing`;

export const pendingValues = (entries: readonly PendingEntry[], isRead = false): string =>
  JSON.stringify(
    entries.map(({ index, base, atMs, ...entry }, order) => ({
      ...entry,
      isRead,
      order,
      n: index,
      amount: entry.amount.toString(),
      baseMarket: base?.marketId,
      baseDecimals: base?.decimals,
      baseAmount: base?.amount.toString(),
      slot: entry.slot.toString(),
      at: new Date(atMs).toISOString(),
    })),
  );

/**
 * Adds entries of landed transactions until the book has them; those that are known are kept. `isRead`: what the chain's
 * reader saw, which is listed and counts in no sum.
 */
export async function insertPending(
  db: Db,
  agentId: AgentId,
  entries: readonly PendingEntry[],
  isRead = false,
): Promise<void> {
  if (entries.length === 0) return;
  await runStatement(db, {
    name: "insert-pending",
    text: INSERT_PENDING("$1", "$2"),
    values: [agentId, pendingValues(entries, isRead)],
  });
}

/** What a transaction traded for an agent that no order of it has: a keeper's fills, or a trade its restored records lost. */
export interface Upkeep {
  /** Net base units, bought less sold, by market. */
  readonly fills: ReadonlyMap<string, bigint>;
  /** The entries of the transaction, until the book has them. */
  readonly pending: readonly PendingEntry[];
}

/**
 * Counts fills as the agent's own, once, unless an order or the owner's log has their transaction, which a lane may be
 * recording now.
 */
export async function insertUpkeep(
  db: Db,
  agentId: AgentId,
  signature: string,
  { fills, pending }: Upkeep,
): Promise<void> {
  if (fills.size === 0) return;
  const bases = Object.fromEntries([...fills].map(([market, base]) => [market, base.toString()]));
  await db.transaction().execute(async (tx) => {
    if (!(await lockLane(tx, agentId))) return;
    await on(tx).change`
      insert into upkeep_fills (agent_id, signature, market, base)
      select ${agentId}, ${signature}, key, value::numeric from json_each_text(${JSON.stringify(bases)})
      where not exists (
          select from order_fills as fill join orders on orders.id = fill.order_id
          where fill.signature = ${signature} and orders.agent_id = ${agentId})
        and not exists (
          select from trade_log where by_owner and signature = ${signature} and agent_id = ${agentId})
      on conflict do nothing`;
    await insertPending(tx, agentId, pending);
  });
}
