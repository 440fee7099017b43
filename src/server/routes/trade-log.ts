import type { RequestOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { AppError } from "../../contract/errors.ts";
import { LOG_PAGE } from "../../contract/trade-log.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  countTradeLogOf,
  findLogSeq,
  findTradeLogEntry,
  listTradeLogOf,
} from "../store/trade-log/trade-log.ts";
import type { Handlers } from "../http/handler.ts";
import { presentDetails } from "./present-trade-details.ts";
import { presentEntry } from "./present-log-entry.ts";
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
      return rows.map(presentEntry);
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
      return presentDetails(entry, closed.get(entry.id) ?? null);
    },
  };
}
