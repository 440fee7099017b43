import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { Held } from "../../../domain/ledger/entry.ts";
import type { PositionTrade } from "../../../domain/ledger/realise.ts";
import { heldKey, type PendingBook } from "../../../domain/ledger/record-movements.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { type EntryRow, toEntry } from "./ledger.ts";
import { readPending } from "./pending-entries.ts";

/** What a book says of a vault that holds assets: what the venue itself does not know. */
export interface AssetBook {
  /** Deposits less withdrawals and less the cost of withdrawn assets, quote base units. */
  readonly netDeposits: bigint;
  /** What is held of each market and what it cost. */
  readonly held: ReadonlyMap<string, Held>;
}

/**
 * Returns an agent's assets and net deposits, with what is pending.
 *
 * Assets withdrawn in kind leave at cost: the owner still has them, so this is no loss.
 */
export async function readAssetBook(
  db: Db,
  agentId: AgentId,
  markets: readonly string[],
): Promise<AssetBook> {
  const [pending, rows, flows] = await Promise.all([
    readPending(db, agentId),
    on(db).rows<EntryRow>`
      select newest.* from unnest(${markets}::text[]) as asked (market) cross join lateral (
        select * from ledger_entries
        where agent_id = ${agentId} and base_market = asked.market and place = 'vault'
        order by seq desc limit 1
      ) as newest`,
    on(db).only<{ net: string; taken: string }>`
      select (
        select coalesce(sum(case intent when 'deposit' then amount else -amount end), 0)
        from custody_transactions
        where agent_id = ${agentId} and state = 'confirmed' and intent in ('deposit', 'withdraw')
      )::text as net, (
        select coalesce(sum(moved.held_cost - before.held_cost), 0)
        from agents join ledger_entries as moved on moved.owner = agents.owner
          and moved.network = agents.network and moved.agent_id = agents.id
          and moved.kind in ('deposit', 'withdrawal', 'external')
        cross join lateral (
          select held_cost from ledger_entries as earlier
          where earlier.agent_id = moved.agent_id and earlier.base_market = moved.base_market
            and earlier.place = moved.place and earlier.seq < moved.seq
          order by seq desc limit 1
        ) as before
        where agents.id = ${agentId} and moved.kind = 'withdrawal' and moved.base_amount < 0
      )::text as taken`,
  ]);
  const held = new Map<string, Held>();
  for (const entry of [...rows.map(toEntry), ...pending.entries]) {
    if (entry.base !== undefined && entry.held !== undefined) {
      held.set(entry.base.marketId, entry.held);
    }
  }
  return {
    netDeposits: BigInt(flows.net) - BigInt(flows.taken) - takenSince(pending),
    held,
  };
}

/** Returns the cost of the assets that pending withdrawals took. */
function takenSince({ entries, before }: PendingBook): bigint {
  const held = new Map(before);
  let taken = 0n;
  for (const entry of entries) {
    const key = heldKey(entry);
    if (key === null || entry.held === undefined) continue;
    const { cost } = held.get(key) ?? { cost: 0n };
    const isTaken = entry.kind === "withdrawal" && (entry.base?.amount ?? 0n) < 0n;
    if (isTaken && cost !== null && entry.held.cost !== null) taken += entry.held.cost - cost;
    held.set(key, entry.held);
  }
  return taken;
}

/** Returns the trades of the position open now or at a time, until then, oldest first, with what is pending. */
export async function readPositionTrades(
  db: Db,
  agentId: AgentId,
  marketId: string,
  until?: Date,
): Promise<readonly PositionTrade[]> {
  const ofPosition = sql`agent_id = ${agentId} and base_market = ${marketId} and place = 'position'`;
  const ended = until === undefined ? sql`` : sql`and at <= ${until}`;
  // Blocks tell whole seconds, so a flat of just before may be of just after
  const begun = until === undefined ? sql`` : sql`and at < ${new Date(until.getTime() - 60_000)}`;
  const [pending, rows] = await Promise.all([
    readPending(db, agentId),
    on(db).rows<EntryRow & { readonly fee: string }>`
      select *, coalesce((
        select case when next.kind = 'fee' and next.base_market is null then next.amount end from ledger_entries as next
        where next.agent_id = traded.agent_id and next.network = traded.network
          and next.signature = traded.signature and next.kind in ('trade', 'fee') and next.seq > traded.seq
        order by next.seq limit 1
      ), 0)::text as fee
      from ledger_entries as traded
      where ${ofPosition} and kind = 'trade' ${ended} and seq > coalesce((
        select seq from ledger_entries where ${ofPosition} and held_base = 0 ${begun} order by seq desc limit 1
      ), 0)
      order by seq`,
  ]);
  const booked = rows.map((row) => ({ ...toEntry(row), fee: BigInt(row.fee) }));
  const seen = pending.entries.map((entry, at) => {
    const next = pending.entries[at + 1];
    const isPaid =
      next?.kind === "fee" && next.base === undefined && next.signature === entry.signature;
    return { ...entry, fee: isPaid ? next.amount : 0n };
  });
  return [...booked, ...seen].flatMap(({ kind, base, held, fee, atMs }) =>
    kind === "trade" && base?.marketId === marketId && held !== undefined
      ? [{ atMs, base: base.amount, fee, held }]
      : [],
  );
}
