import type { AgentId } from "../../domain/ids.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { LedgerKind } from "../../domain/ledger/entry.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { tradeColumns } from "../ledger/export/rows.ts";
import { presentPending } from "../ledger/list-transactions.ts";
import type { Db } from "../store/postgres/db.ts";
import { type EquityPoint, listEquityPoints } from "../store/ledger/equity-points.ts";
import { type LedgerOwner, listEntries, type StoredEntry } from "../store/ledger/ledger.ts";
import { type LedgerMark, listLedgerMarks } from "../store/ledger/ledger-marks.ts";
import { streamTrades, type TradeRow } from "../store/ledger/ledger-export.ts";
import { listUnbooked } from "../store/ledger/pending-entries.ts";
import { rangeOf } from "./book-range.ts";
import type { Handlers } from "../http/handler.ts";

type Page = ResponseOf<typeof ROUTES.listAgentLedger>;
type Trade = ResponseOf<typeof ROUTES.listAgentTrades>["trades"][number];

const DEFAULT_ENTRIES = 100;
const MAX_ENTRIES = 200;
const MAX_POINTS = 500;

interface LedgerQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly kind?: LedgerKind | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * Answers the ledger calls: entries, newest first, with pending ones and the last check's result, trades and equity
 * points.
 */
export function ledgerHandlers({ db }: { readonly db: Db }) {
  return {
    listAgentLedger: ({ query }) => readPage(db, { agentId: query.agentId }, query),
    listWalletLedger: ({ query }) =>
      readPage(db, { owner: query.owner, network: query.network }, query),
    listAgentTrades: ({ query }) => readTrades(db, { agentId: query.agentId }, query),
    listWalletTrades: ({ query }) =>
      readTrades(db, { owner: query.owner, network: query.network }, query),
    listAgentEquity: ({ query }) => readEquity(db, { agentId: query.agentId }, query),
    listWalletEquity: ({ query }) =>
      readEquity(db, { owner: query.owner, network: query.network }, query),
  } satisfies Partial<Handlers>;
}

async function readPage(db: Db, owner: LedgerOwner, asked: LedgerQuery): Promise<Page> {
  const range = rangeOf(asked);
  const limit = limitOf(asked);
  const [atMs, seq] = asked.cursor?.split("-") ?? [];
  const before =
    atMs === undefined || seq === undefined
      ? {}
      : { before: { atMs: Number(atMs), seq: BigInt(seq) } };
  const kinds = asked.kind === undefined ? {} : { kinds: [asked.kind] };
  const [entries, pending, marks] = await Promise.all([
    listEntries(db, owner, { range, limit, ...kinds, ...before }),
    listUnbooked(db, owner),
    listLedgerMarks(db, owner),
  ]);
  const last = entries.length < limit ? undefined : entries.at(-1);
  return {
    entries: entries.map(presentEntry),
    ...(last === undefined ? {} : { next: `${last.atMs}-${last.seq}` }),
    pending: pending.map(presentPending),
    checks: marks.map(presentCheck),
  };
}

/**
 * Returns a page of equity points. A page ends between two times, never within one, because several agents of a wallet
 * may have a point at the same time.
 */
async function readEquity(db: Db, owner: LedgerOwner, asked: LedgerQuery) {
  const points = await listEquityPoints(db, owner, rangeOf(asked), MAX_POINTS + 1);
  const cutMs = points.length > MAX_POINTS ? points.at(-1)?.atMs : undefined;
  const shown = cutMs === undefined ? points : points.filter(({ atMs }) => atMs < cutMs);
  return {
    points: shown.map(presentPoint),
    ...(cutMs === undefined ? {} : { next: timeOf(cutMs) }),
  };
}

/** Returns a page of trades, which ends between two times as that of points does. */
async function readTrades(db: Db, owner: LedgerOwner, asked: Omit<LedgerQuery, "kind" | "cursor">) {
  const limit = limitOf(asked);
  const trades: Trade[] = [];
  for await (const trade of streamTrades(db, owner, rangeOf(asked))) {
    const at = timeOf(trade.atMs);
    if (trades.length >= limit && trades.at(-1)?.at !== at) return { trades, next: at };
    trades.push(presentTrade(trade, at));
  }
  return { trades };
}

function presentTrade(row: TradeRow, at: string): Trade {
  const { size, price, total, fee } = tradeColumns(row);
  return {
    agentId: row.agentId,
    at,
    market: row.market,
    side: row.base < 0n ? "sell" : "buy",
    size,
    price,
    total,
    asset: row.asset,
    fee,
    ...(row.realised === null ? {} : { realised: formatDecimal(row.realised, row.decimals) }),
    signature: row.signature,
    slot: row.slot.toString(),
  };
}

const limitOf = ({ limit = DEFAULT_ENTRIES }: Pick<LedgerQuery, "limit">): number =>
  Math.min(Math.max(limit, 1), MAX_ENTRIES);

const timeOf = (ms: number): string => new Date(ms).toISOString();

export function presentEntry(entry: StoredEntry): Page["entries"][number] {
  const { realised } = entry;
  return {
    ...presentPending(entry),
    id: entry.seq.toString(),
    place: entry.place,
    ...(realised === null ? {} : { realised: formatDecimal(realised, entry.decimals) }),
    slot: entry.slot.toString(),
  };
}

/** Returns the result of the last check of an agent's ledger. */
export function presentCheck({
  agentId,
  difference,
  balancedAtMs,
}: LedgerMark & { readonly agentId: AgentId }): Page["checks"][number] {
  const checkedAt = balancedAtMs === null ? {} : { checkedAt: timeOf(balancedAtMs) };
  if (difference === null || !difference.isConfirmed) {
    return { agentId, state: balancedAtMs === null ? "unchecked" : "right", ...checkedAt };
  }
  const { firstSignature: first } = difference;
  return {
    agentId,
    state: "different",
    ...checkedAt,
    since: timeOf(difference.sinceMs),
    ...(first === null ? {} : { firstSignature: first }),
    accounts: difference.accounts.map(({ place, market, asset, decimals, booked, onChain }) => ({
      place,
      ...(market === "" ? {} : { market }),
      asset,
      booked: formatDecimal(BigInt(booked), decimals),
      onChain: formatDecimal(BigInt(onChain), decimals),
    })),
  };
}

export function presentPoint(point: EquityPoint) {
  const { price, priceAtMs, decimals } = point;
  return {
    agentId: point.agentId,
    at: timeOf(point.atMs),
    cause: point.cause,
    value: formatDecimal(point.value, decimals),
    netFlow: formatDecimal(point.netFlow, decimals),
    asset: point.asset,
    market: point.market,
    ...(price === null ? {} : { price: formatDecimal(price, PRICE_DECIMALS) }),
    ...(priceAtMs === null ? {} : { priceAt: timeOf(priceAtMs) }),
  };
}
