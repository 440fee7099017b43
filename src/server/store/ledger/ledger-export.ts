import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";
import { type EquityPoint, type PointRow, toPoint } from "./equity-points.ts";
import {
  type EntryRow,
  inRange,
  type LedgerOwner,
  type LedgerRange,
  type StoredEntry,
  toEntry,
} from "./ledger.ts";

/** Rows read per statement, which bounds the memory used for any range. */
const PAGE_ROWS = 1_000;

interface Keyed {
  readonly at: Date;
  readonly seq: string;
}

/**
 * Reads rows of a range in order, in pages that each start where the previous one ended: no statement or transaction
 * stays open during a slow download. Rows added meanwhile are left out.
 */
async function* inPages<R extends Keyed>(
  db: Db,
  table: "ledger_entries" | "equity_points",
  owner: LedgerOwner,
  range: LedgerRange,
): AsyncGenerator<R> {
  const from = sql.table(table);
  const newest = await on(db).row<Keyed>`select seq from ${from} order by seq desc limit 1`;
  let after: Keyed = { at: new Date(0), seq: "0" };
  for (;;) {
    const page: R[] = await on(db).rows<R>`
      select * from ${from}
      where ${inRange(owner, range)} and seq <= ${newest?.seq ?? "0"}
        and (at, seq) > (${after.at}, ${after.seq}::bigint)
      order by at, seq limit ${PAGE_ROWS}`;
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return;
    after = last;
  }
}

/** Streams the entries of a range, oldest first. */
export async function* streamEntries(
  db: Db,
  owner: LedgerOwner,
  range: LedgerRange,
): AsyncGenerator<StoredEntry & { readonly network: string }> {
  const rows = inPages<EntryRow>(db, "ledger_entries", owner, range);
  for await (const row of rows) yield { ...toEntry(row), network: row.network };
}

/** Streams the equity points of a range, oldest first. */
export async function* streamPoints(
  db: Db,
  owner: LedgerOwner,
  range: LedgerRange,
): AsyncGenerator<EquityPoint & { readonly network: string }> {
  const rows = inPages<PointRow>(db, "equity_points", owner, range);
  for await (const row of rows) yield { ...toPoint(row), network: row.network };
}

/** The fills of one transaction in one market on one side, with their fees. Amounts in signed base units. */
export interface TradeRow {
  readonly agentId: AgentId;
  readonly network: string;
  readonly signature: string;
  readonly slot: bigint;
  readonly atMs: number;
  readonly market: string;
  readonly base: bigint;
  readonly baseDecimals: number;
  readonly quote: bigint;
  readonly asset: string;
  readonly decimals: number;
  /** Fee paid; negative for a rebate of the venue. */
  readonly fee: bigint;
  readonly realised: bigint | null;
}

/**
 * Streams the trades of a range, oldest first. A fee in a transaction without a trade, as that of a trigger, is of the next
 * trade in its market.
 *
 * Entries of one block are in booking order, which may interleave several agents: fills and fees are matched by agent
 * and transaction, not by adjacency.
 */
export async function* streamTrades(
  db: Db,
  owner: LedgerOwner,
  range: LedgerRange,
): AsyncGenerator<TradeRow> {
  let block: Exported[] = [];
  const charged = new Map<string, bigint>();
  for await (const entry of streamEntries(db, owner, range)) {
    if (block[0] !== undefined && block[0].atMs !== entry.atMs) {
      yield* tradesOfBlock(block, charged);
      block = [];
    }
    if (entry.kind === "trade" || entry.kind === "fee") block.push(entry);
  }
  yield* tradesOfBlock(block, charged);
}

/** Merges the fills of one transaction, market and side, and adds the transaction's fees to the preceding trade. */
function tradesOfBlock(
  block: readonly Exported[],
  charged: Map<string, bigint>,
): readonly TradeRow[] {
  const trades: TradeRow[] = [];
  for (const entry of block) {
    const trade = tradeOf(entry);
    const at = trades.findLastIndex((open) => isSame(open, entry));
    const open = trades[at];
    const key = `${entry.agentId} ${entry.market}`;
    if (open !== undefined && entry.kind === "fee") {
      trades[at] = { ...open, fee: open.fee - entry.amount };
    } else if (open !== undefined && trade !== null && isMore(open, trade)) {
      trades[at] = merged(open, trade);
    } else if (trade !== null) {
      trades.push({ ...trade, fee: charged.get(key) ?? 0n });
      charged.delete(key);
    } else {
      charged.set(key, (charged.get(key) ?? 0n) - entry.amount);
    }
  }
  return trades;
}

type Exported = StoredEntry & { readonly network: string };

function tradeOf({ kind, base, amount, ...entry }: Exported): TradeRow | null {
  if (kind !== "trade" || base === undefined) return null;
  return {
    agentId: entry.agentId,
    network: entry.network,
    signature: entry.signature,
    slot: entry.slot,
    atMs: entry.atMs,
    market: base.marketId,
    base: base.amount,
    baseDecimals: base.decimals,
    quote: amount,
    asset: entry.asset,
    decimals: entry.decimals,
    fee: 0n,
    realised: entry.realised,
  };
}

const isSame = (
  one: Pick<TradeRow, "agentId" | "signature">,
  other: Pick<TradeRow, "agentId" | "signature">,
): boolean => one.signature === other.signature && one.agentId === other.agentId;

const isMore = (open: TradeRow, trade: TradeRow): boolean =>
  open.market === trade.market && open.base > 0n === trade.base > 0n;

const merged = (open: TradeRow, trade: TradeRow): TradeRow => ({
  ...open,
  base: open.base + trade.base,
  quote: open.quote + trade.quote,
  realised: sumOf(open.realised, trade.realised),
});

const sumOf = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null ? other : other === null ? one : one + other;
