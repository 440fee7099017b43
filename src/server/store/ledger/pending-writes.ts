import type { AgentId } from "../../../domain/ids.ts";
import type { PendingEntry } from "../../../domain/ledger/entry.ts";
import type { Db } from "../postgres/db.ts";
import { runStatement } from "../postgres/statement.ts";

/** Inserts pending entries that the book does not have; takes SQL for agent, one JSON value and a further condition. */
export const INSERT_PENDING = (agent: string, entries: string, condition = "true"): string =>
  `insert into pending_entries (agent_id, signature, kind, n, place, sub_account, market, asset, decimals, amount,
    base_market, base_decimals, base_amount, effect, slot, at)
  select ${agent}, signature, kind, n, place, "subAccount", market, asset, decimals, amount,
    "baseMarket", "baseDecimals", "baseAmount", effect, slot, at
  from json_to_recordset(${entries}) as entry ("order" integer, signature text, kind text, n integer, place text, "subAccount" integer,
    market text, asset text, decimals smallint, amount numeric, "baseMarket" text, "baseDecimals" smallint,
    "baseAmount" numeric, effect text, slot bigint, at timestamptz)
  where not exists (
    select from ledger_entries as booked where booked.agent_id = ${agent} and booked.signature = entry.signature) and ${condition}
  order by "order" on conflict do nothing`;

export const pendingValues = (entries: readonly PendingEntry[]): string =>
  JSON.stringify(
    entries.map(({ index, base, atMs, ...entry }, order) => ({
      ...entry,
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

/** Adds entries of landed transactions until the book has them; those that are known are kept. */
export async function insertPending(
  db: Db,
  agentId: AgentId,
  entries: readonly PendingEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await runStatement(db, {
    name: "insert-pending",
    text: INSERT_PENDING("$1", "$2"),
    values: [agentId, pendingValues(entries)],
  });
}
