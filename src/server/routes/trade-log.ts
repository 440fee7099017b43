import type { RequestOf, ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { AppError } from "../../contract/errors.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { lineAmount } from "../../domain/order/trade-log.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  findTradeLogEntry,
  listTradeLogOf,
  listTradesUpTo,
  type TradeLogRow,
} from "../store/trade-log/trade-log.ts";
import type { Handlers } from "../http/handler.ts";
import { presentDetails } from "./present-trade-details.ts";

type Entry = ResponseOf<typeof ROUTES.listTradeLog>[number];

/** Maximum number of non-failed entries returned, the newest ones. */
const MAX_ENTRIES = 10_000;

export function tradeLogHandlers(deps: {
  readonly db: Db;
}): Pick<Handlers, "listTradeLog" | "getTradeDetails"> {
  return {
    async listTradeLog({ query }: RequestOf<typeof ROUTES.listTradeLog>) {
      const rows = await listTradeLogOf(deps.db, query.chatId, MAX_ENTRIES);
      return rows.map(presentEntry);
    },
    async getTradeDetails({ query }: RequestOf<typeof ROUTES.getTradeDetails>) {
      const entry = await findTradeLogEntry(deps.db, query.chatId, query.entryId);
      if (entry === null) throw new AppError("not_found");
      return presentDetails(entry, await listTradesUpTo(deps.db, entry));
    },
  };
}

/** Returns the entry in its wire format, amounts as exact decimal text. */
export function presentEntry(row: TradeLogRow): Entry {
  const quote = (units: string) => lineAmount(units, row.quote_decimals);
  return {
    _id: row.id,
    market: row.market,
    size: lineAmount(row.base_size, row.base_decimals),
    percentage: `${row.percentage}`,
    total: quote(row.quote_total),
    type: row.type,
    side: row.side,
    webhookSignal: row.signal,
    timestamps: row.at.toISOString(),
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.price === null ? {} : { price: formatDecimal(BigInt(row.price), PRICE_DECIMALS) }),
    ...(row.fee === null ? {} : { fee: quote(row.fee) }),
    ...(row.signature === null ? {} : { signature: row.signature }),
    ...(row.by_owner ? { byOwner: true as const } : {}),
  };
}
