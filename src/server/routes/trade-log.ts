import type { RequestOf, ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { AppError } from "../../contract/errors.ts";
import { LOG_PAGE } from "../../contract/trade-log.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { ClosedPnl } from "../../domain/closed-pnl.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { lineAmount, tradedSignal } from "../../domain/order/trade-log.ts";
import { kindOf } from "../../venues/profiles.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  countTradeLogOf,
  findLogSeq,
  findTradeLogEntry,
  listTradeLogOf,
  type TradeLogRecord,
} from "../store/trade-log/trade-log.ts";
import type { Handlers } from "../http/handler.ts";
import { percentOf } from "./percent-of.ts";
import { showEntry } from "./log-entry.ts";
import { tradeLogCsv } from "./trade-log-csv.ts";

export function tradeLogHandlers(deps: {
  readonly db: Db;
}): Pick<Handlers, "listTradeLog" | "countTradeLog" | "exportTradeLog" | "getTradeDetails"> {
  const { db } = deps;
  return {
    async listTradeLog({ query }: RequestOf<typeof ROUTES.listTradeLog>) {
      const { chatId, filter = "all" } = query;
      const before = query.before === undefined ? null : await findLogSeq(db, chatId, query.before);
      // An empty page would say that there is nothing older
      if (query.before !== undefined && before === null) throw new AppError("not_found");
      const rows = await listTradeLogOf(db, { chatId, filter, before, limit: LOG_PAGE });
      return rows.map(showEntry);
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
      const entry = await findTradeLogEntry(db, query.chatId, query.entryId);
      if (entry === null) throw new AppError("not_found");
      const closed = await readClosedPnls(db, parseAgentId(entry.agent_id), [entry.id]);
      return detailsOf(entry, closed.get(entry.id) ?? null);
    },
  };
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
  if (closed === null) return {};
  const pnl = lineAmount(closed.pnl, entry.quote_decimals);
  return closed.entry <= 0n ? { pnl } : { pnl, pnlPercent: percentOf(closed.pnl, closed.entry) };
}

function timeFigures({ received_at, status, at }: TradeLogRecord) {
  if (received_at === null) return {};
  const alertAt = received_at.toISOString();
  if (status !== "success") return { alertAt };
  return { alertAt, fillMs: Math.max(0, at.getTime() - received_at.getTime()) };
}
