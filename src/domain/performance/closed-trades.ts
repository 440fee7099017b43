import type { BookedEntry } from "../ledger/entry.ts";
import type { ClosedTrade } from "./trade-figures.ts";

/** Positions according to the ledger: the closed ones, and since when others are open. */
export interface BookedTrades {
  readonly closed: readonly ClosedTrade[];
  readonly openSinceMs: readonly number[];
}

interface OpenTrade {
  readonly openedAtMs: number;
  readonly pnl: bigint | null;
}

type Entry = Pick<
  BookedEntry,
  "kind" | "signature" | "atMs" | "amount" | "realised" | "base" | "held" | "market"
>;

/**
 * Returns every closed position from the trades, fees and funding of one agent, oldest first.
 *
 * A fee belongs to the trade in the same transaction. A closing with an unknown result makes the whole position's
 * result unknown.
 */
export function tradesOf(entries: readonly Entry[]): BookedTrades {
  const open = new Map<string, OpenTrade>();
  const closed: ClosedTrade[] = [];
  for (const transaction of bySignature(entries)) {
    const trades = transaction.filter(({ kind }) => kind === "trade");
    const costs = transaction.filter(({ kind }) => kind !== "trade");
    const markets = new Set(
      [...trades, ...costs].flatMap((entry) => marketOf(entry, trades) ?? []),
    );
    for (const market of markets) {
      const ofMarket = trades.filter(({ base }) => base?.marketId === market);
      const cost = costs
        .filter((entry) => marketOf(entry, trades) === market)
        .reduce((sum, { amount }) => sum + amount, 0n);
      const after = follow(open.get(market), ofMarket, cost);
      if (after.closed !== null) closed.push(after.closed);
      if (after.open === null) open.delete(market);
      else open.set(market, after.open);
    }
  }
  return { closed, openSinceMs: [...open.values()].map(({ openedAtMs }) => openedAtMs) };
}

/** Returns the entries grouped by transaction, in the order of each transaction's first entry. */
function bySignature(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.signature);
    if (group === undefined) groups.set(entry.signature, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}

/** A cost without a market belongs to the first trade of its transaction. */
const marketOf = (entry: Entry, trades: readonly Entry[]): string | null =>
  entry.base?.marketId ??
  (entry.market === "" ? (trades[0]?.base?.marketId ?? null) : entry.market);

function follow(
  before: OpenTrade | undefined,
  trades: readonly Entry[],
  cost: bigint,
): { readonly open: OpenTrade | null; readonly closed: ClosedTrade | null } {
  const [first, last] = [trades[0], trades.at(-1)];
  const begun = before ?? (first === undefined ? null : { openedAtMs: first.atMs, pnl: 0n });
  if (begun === null) return { open: null, closed: null };
  const pnl = trades.reduce(addTrade, begun.pnl === null ? null : begun.pnl + cost);
  if (last?.held === undefined || last.held.base !== 0n) {
    return { open: { ...begun, pnl }, closed: null };
  }
  return { open: null, closed: { openedAtMs: begun.openedAtMs, closedAtMs: last.atMs, pnl } };
}

/** Adds the realised PnL of a trade; a trade that only opens adds nothing. */
function addTrade(pnl: bigint | null, { realised, base, held }: Entry): bigint | null {
  if (pnl === null || realised !== null) return pnl === null ? null : pnl + (realised ?? 0n);
  const traded = base?.amount ?? 0n;
  const before = (held?.base ?? 0n) - traded;
  const closes = before !== 0n && before > 0n !== traded > 0n;
  return closes ? null : pnl;
}
