import type { RequestOf, ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { found } from "../../contract/errors.ts";
import { INBOX_ENTRIES, LOG_PAGE, type TradeLogEntry } from "../../contract/trade-log.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { ClosedPnl } from "../../domain/position.ts";
import { PLAN_ACT_WORDS } from "../../domain/plan/plan.ts";
import { parseAgentId, parseChatId, type ChatId } from "../../domain/ids.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { lineAmount, tradedSignal } from "../../domain/order/order-states.ts";
import { kindOf } from "../../venues/profiles.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  countTradeLogOf,
  findLogSeq,
  findTradeLogEntry,
  listNewestOf,
  listTradeLogOf,
  type TradeLogRecord,
  type TradeLogRow,
  type LogFilter,
} from "../store/trade-log/trade-log.ts";
import type { Handlers } from "../http/handler.ts";
import { percentOf } from "./percent-of.ts";
import { showEntry } from "./log-entry.ts";
import { reasonWhat } from "../../domain/reasons.ts";
import { csvLine } from "../ledger/export/rows.ts";

const COLUMNS: readonly (readonly [name: string, read: (entry: TradeLogEntry) => string])[] = [
  ["Date", (entry) => entry.at],
  ["Market", (entry) => entry.market],
  ["Signal", (entry) => entry.signal],
  ["Side", (entry) => entry.side],
  ["Type", (entry) => entry.type],
  ["Size", (entry) => entry.size],
  ["Percentage", (entry) => entry.percentage],
  ["Total", (entry) => entry.total],
  ["Price", (entry) => entry.price ?? ""],
  ["Fee", (entry) => entry.fee ?? ""],
  ["Status", (entry) => entry.status],
  ["Reason", (entry) => (entry.reason === undefined ? "" : reasonWhat(entry.reason))],
  ["Signature", (entry) => entry.signature ?? ""],
  ["Plan", (entry) => (entry.plan === undefined ? "" : PLAN_ACT_WORDS[entry.plan])],
];

/** Number of rows read and written at a time. */
const PART = 500;

/** Writes a chat's whole log as CSV, newest first: exact figures, times in UTC. */
async function* tradeLogCsv(db: Db, chatId: ChatId, filter: LogFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  for (let before: string | null = null; ;) {
    const rows = await listTradeLogOf(db, { chatId, filter, before, limit: PART });
    yield rows
      .map(showEntry)
      .map((entry) => csvLine(COLUMNS.map(([, read]) => read(entry))))
      .join("");
    before = rows.at(-1)?.seq ?? null;
    if (rows.length < PART) return;
  }
}

export function tradeLogHandlers(deps: { readonly db: Db }) {
  const { db } = deps;
  return {
    async listTradeLog({ query }: RequestOf<typeof ROUTES.listTradeLog>) {
      const { chatId, filter = "all" } = query;
      const last = query.before;
      // An empty page would say that there is nothing older
      const before = last === undefined ? null : found(await findLogSeq(db, chatId, last));
      const rows = await listTradeLogOf(db, { chatId, filter, before, limit: LOG_PAGE });
      const closed = await closedAmong(db, rows);
      return rows.map((row) => ({ ...showEntry(row), ...pnlOf(row, closed.get(row.id)) }));
    },
    async listInbox({ session: { wallet } }) {
      const rows = await listNewestOf(db, wallet, INBOX_ENTRIES);
      const closed = await closedAmong(db, rows);
      return rows.map((row) => ({
        chatId: parseChatId(row.chat_id),
        agentId: parseAgentId(row.agent_id),
        agent: row.agent_name,
        entry: { ...showEntry(row), ...pnlOf(row, closed.get(row.id)) },
      }));
    },
    async countTradeLog({ query }: RequestOf<typeof ROUTES.countTradeLog>) {
      return countTradeLogOf(db, query.chatId);
    },
    async exportTradeLog({ query }: RequestOf<typeof ROUTES.exportTradeLog>) {
      const { chatId, filter = "all" } = query;
      const file = { name: `trade-log-${chatId}.csv`, type: "text/csv" } as const;
      return { replyFile: { ...file, parts: tradeLogCsv(db, chatId, filter) } };
    },
    async getTradeDetails({ query }: RequestOf<typeof ROUTES.getTradeDetails>) {
      const entry = found(await findTradeLogEntry(db, query.chatId, query.entryId));
      const closed = await readClosedPnls(db, parseAgentId(entry.agent_id), [entry.id]);
      return detailsOf(entry, closed.get(entry.id) ?? null);
    },
  } satisfies Partial<Handlers>;
}

/** Returns what the closings among these entries earned, by entry. */
async function closedAmong(
  db: Db,
  rows: readonly TradeLogRow[],
): Promise<ReadonlyMap<string, ClosedPnl>> {
  // On a perpetual market only openings have these sides
  const closings = rows.filter(
    ({ status, side }) => status === "success" && side !== "long" && side !== "short",
  );
  const agentIds = [...new Set(closings.map(({ agent_id }) => agent_id))];
  const read = agentIds.map((agentId) => {
    const own = closings.filter(({ agent_id }) => agent_id === agentId);
    return readClosedPnls(
      db,
      parseAgentId(agentId),
      own.map(({ id }) => id),
    );
  });
  return new Map((await Promise.all(read)).flatMap((part) => [...part]));
}

function pnlOf({ quote_decimals }: TradeLogRow, closed: ClosedPnl | null | undefined) {
  return closed ? { pnl: lineAmount(closed.pnl, quote_decimals) } : {};
}

/** Returns the details of an entry; `closed` is what it earned where it closed something. */
function detailsOf(
  entry: TradeLogRecord,
  closed: ClosedPnl | null,
): ResponseOf<typeof ROUTES.getTradeDetails> {
  return { ...priceFigures(entry), ...pnlFigures(entry, closed), ...timeFigures(entry) };
}

function priceFigures({ intent, price, signal, side, market: marketId }: TradeLogRecord) {
  const reference = (intent as { readonly referencePrice?: string } | null)?.referencePrice;
  if (reference === undefined) return {};
  const market = BigInt(reference);
  const marketPrice = formatDecimal(market, PRICE_DECIMALS);
  if (price === null || market <= 0n) return { marketPrice };
  const traded = tradedSignal(signal, side, kindOf(marketId));
  const isBuy = traded === "OPEN_LONG" || traded === "CLOSE_SHORT";
  const worse = isBuy ? BigInt(price) - market : market - BigInt(price);
  return { marketPrice, slippage: percentOf(worse, market) };
}

function pnlFigures(entry: TradeLogRecord, closed: ClosedPnl | null) {
  if (closed === null || closed.entry <= 0n) return pnlOf(entry, closed);
  return { ...pnlOf(entry, closed), pnlPercent: percentOf(closed.pnl, closed.entry) };
}

function timeFigures({ received_at, status, at }: TradeLogRecord) {
  if (received_at === null) return {};
  const alertAt = received_at.toISOString();
  if (status !== "success") return { alertAt };
  return { alertAt, fillMs: Math.max(0, at.getTime() - received_at.getTime()) };
}
