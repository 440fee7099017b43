import { sql } from "kysely";
import { mulDiv, ratioOf } from "../src/domain/amount.ts";
import type { AgentId } from "../src/domain/ids.ts";
import type { BookedEntry } from "../src/domain/ledger/entry.ts";
import { gapsOf } from "../src/domain/performance/account-curve.ts";
import type { Side } from "../src/domain/position.ts";
import type { VenueId } from "../src/domain/venue-id.ts";
import { listEquityPoints } from "../src/server/store/ledger/equity-points.ts";
import { listEntries } from "../src/server/store/ledger/ledger.ts";
import type { Db } from "../src/server/store/postgres/db.ts";
import { findMarket } from "../src/venues/profiles.ts";

/** An agent on drift with a quote of six decimals. */
interface PerformanceQuery {
  readonly agentId: AgentId;
  readonly fromMs: number;
  readonly nowMs: number;
}

/** Returns the figures of an agent's performance, worked out entry by entry. */
export async function modelPerformance(db: Db, { agentId, fromMs, nowMs }: PerformanceQuery) {
  const ever = { fromMs: 0, toMs: nowMs + 1 };
  const entries = (await listEntries(db, { agentId }, { range: ever, limit: 1e9 })).toReversed();
  const parts = entries.filter(({ kind }) => ["trade", "fee", "funding"].includes(kind));
  const { closed, openSinceMs } = tradesOf(parts);
  const held = [
    ...closed.map((trade) => ({ fromMs: trade.openedAtMs, toMs: trade.closedAtMs })),
    ...openSinceMs.map((openedAtMs) => ({ fromMs: openedAtMs, toMs: nowMs })),
  ];
  const points = await listEquityPoints(db, { agentId }, ever, 1e9);
  const before = points.findLast(({ atMs }) => atMs < fromMs);
  const seen = [
    ...(before === undefined ? [] : [before]),
    ...points.filter(({ atMs }) => atMs >= fromMs),
  ];
  const begunMs = seen[0] === undefined ? null : Math.max(seen[0].atMs, fromMs);
  const orders = await listFilledFacts(db, agentId, fromMs);
  return {
    figures: tradeFigures(closed.filter(({ closedAtMs }) => closedAtMs >= fromMs)),
    exposure: begunMs === null ? null : exposureOf(held, { fromMs: begunMs, toMs: nowMs }),
    gaps: gapsOf(seen, held, nowMs).filter(({ toMs }) => toMs > fromMs),
    slippage: slippageSum(orders, { venue: "drift" }, 6),
    alertToSent: latencyOf(waitsUntil(orders, "sentAtMs")),
    alertToFilled: latencyOf(waitsUntil(orders, "settledAtMs")),
  };
}

/** Positions according to the ledger: the closed ones, and since when others are open. */
interface BookedTrades {
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
function tradesOf(entries: readonly Entry[]): BookedTrades {
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

/** A position from its opening to its end. */
interface ClosedTrade {
  readonly openedAtMs: number;
  readonly closedAtMs: number;
  /** PnL with fees and funding, quote base units; null where it is unknown. */
  readonly pnl: bigint | null;
}

/** Summary figures of a list of closed trades. A figure is null where no trade provides it. */
interface TradeFigures {
  readonly known: number;
  /** Trades with an unknown result; no other figure includes them. */
  readonly unknown: number;
  readonly wins: number;
  readonly losses: number;
  /** Share of the known trades with a profit, 0 to 1. */
  readonly hitRate: number | null;
  readonly averageWin: bigint | null;
  /** Negative, quote base units. */
  readonly averageLoss: bigint | null;
  /** Total profit divided by total loss; null without a losing trade. */
  readonly profitFactor: number | null;
  readonly longestLosingRun: number;
}

/**
 * Returns the summary of closed trades, oldest first. A trade with a PnL of exactly zero is neither won nor lost and
 * ends a losing streak.
 */
function tradeFigures(trades: readonly ClosedTrade[]): TradeFigures {
  const results = trades.flatMap(({ pnl }) => (pnl === null ? [] : [pnl]));
  const wins = results.filter((pnl) => pnl > 0n);
  const losses = results.filter((pnl) => pnl < 0n);
  const [won, lost] = [sumOf(wins), -sumOf(losses)];
  return {
    known: results.length,
    unknown: trades.length - results.length,
    wins: wins.length,
    losses: losses.length,
    hitRate: results.length === 0 ? null : wins.length / results.length,
    averageWin: averageOf(wins),
    averageLoss: averageOf(losses),
    profitFactor: lost === 0n ? null : ratioOf(won, lost),
    longestLosingRun: longestLosingRun(results),
  };
}

/**
 * Returns the share of a span during which a position was open, 0 to 1; null for an empty span. Positions may overlap.
 */
function exposureOf(
  open: readonly { readonly fromMs: number; readonly toMs: number }[],
  span: { readonly fromMs: number; readonly toMs: number },
): number | null {
  if (span.toMs <= span.fromMs) return null;
  let [covered, reached] = [0, span.fromMs];
  for (const { fromMs, toMs } of open.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const from = Math.max(fromMs, reached);
    const to = Math.min(toMs, span.toMs);
    if (to <= from) continue;
    covered += to - from;
    reached = to;
  }
  return covered / (span.toMs - span.fromMs);
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

const averageOf = (amounts: readonly bigint[]): bigint | null =>
  amounts.length === 0 ? null : mulDiv(sumOf(amounts), 1n, BigInt(amounts.length), "half_up");

function longestLosingRun(results: readonly bigint[]): number {
  let [longest, run] = [0, 0];
  for (const pnl of results) {
    run = pnl < 0n ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** A filled order with the price it was decided at, quote units with six decimals per whole asset. */
interface FilledOrder {
  readonly side: Side;
  readonly referencePrice: bigint;
  readonly baseSize: bigint;
  readonly quoteSize: bigint;
  readonly baseDecimals: number;
}

const PRICE_SCALE = 10n ** 6n;

/**
 * Returns the slippage of the fills against the price the order was decided at, quote base units; negative is worse.
 */
function slippageOf(order: FilledOrder, quoteDecimals: number): bigint {
  const { side, referencePrice, baseSize, quoteSize, baseDecimals } = order;
  const perWhole = 10n ** BigInt(baseDecimals) * PRICE_SCALE;
  const worth = mulDiv(
    baseSize * 10n ** BigInt(quoteDecimals),
    referencePrice,
    perWhole,
    "half_up",
  );
  return side === "long" ? worth - quoteSize : quoteSize - worth;
}

/** Returns median and 95th percentile of latencies in milliseconds; null without any. */
function latencyOf(
  waits: readonly number[],
): { readonly p50: number; readonly p95: number; readonly orders: number } | null {
  const [p50, p95] = [percentile(waits, 0.5), percentile(waits, 0.95)];
  return p50 === null || p95 === null ? null : { p50, p95, orders: waits.length };
}

/** Times and decision prices of a filled order: when its alert arrived, when it was sent and when it settled. */
interface FilledOrderFacts {
  readonly receivedAtMs: number | null;
  readonly sentAtMs: number | null;
  readonly settledAtMs: number | null;
  readonly marketId: string;
  readonly side: "long" | "short";
  readonly referencePrice: bigint;
  readonly baseSize: bigint;
  readonly quoteSize: bigint;
}

interface FactsRow {
  readonly received_at: Date | null;
  readonly submitted_at: Date | null;
  readonly settled_at: Date | null;
  readonly intent: { marketId: string; side: "long" | "short"; referencePrice: string };
  readonly base: string;
  readonly quote: string;
}

/** Returns the fully or partially filled orders of a range. */
async function listFilledFacts(
  db: Db,
  agentId: AgentId,
  fromMs: number,
): Promise<readonly FilledOrderFacts[]> {
  const { rows } = await sql<FactsRow>`
    select event.received_at, orders.submitted_at, orders.settled_at, orders.intent,
      fills.base::text as base, fills.quote::text as quote
    from orders
    join lateral (
      select sum(base_size) as base, sum(quote_size) as quote from order_fills
      where order_id = orders.id
    ) as fills on fills.base > 0
    left join alert_events as event on event.id = orders.event_id
    where orders.agent_id = ${agentId} and orders.intent is not null
      and orders.submitted_at >= ${new Date(fromMs)}`.execute(db);
  return rows.map(({ intent, ...row }) => ({
    receivedAtMs: row.received_at?.getTime() ?? null,
    sentAtMs: row.submitted_at?.getTime() ?? null,
    settledAtMs: row.settled_at?.getTime() ?? null,
    marketId: intent.marketId,
    side: intent.side,
    referencePrice: BigInt(intent.referencePrice),
    baseSize: BigInt(row.base),
    quoteSize: BigInt(row.quote),
  }));
}

/** Returns the slippage sum; null when no order filled or a market's decimals are unknown. */
function slippageSum(
  orders: readonly FilledOrderFacts[],
  { venue }: { readonly venue: VenueId },
  quoteDecimals: number,
): bigint | null {
  const known = orders.map((order) => ({
    ...order,
    baseDecimals: findMarket(venue, order.marketId)?.baseDecimals,
  }));
  if (known.length === 0) return null;
  let sum = 0n;
  for (const { baseDecimals, ...order } of known) {
    if (baseDecimals === undefined) return null;
    sum += slippageOf({ ...order, baseDecimals }, quoteDecimals);
  }
  return sum;
}

const waitsUntil = (orders: readonly FilledOrderFacts[], key: "sentAtMs" | "settledAtMs") =>
  orders.flatMap((order) => {
    const at = order[key];
    return order.receivedAtMs === null || at === null ? [] : [Math.max(0, at - order.receivedAtMs)];
  });

/** Returns the smallest value that at least this share of the values does not exceed; null without values. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
