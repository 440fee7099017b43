import type { TradeLogEntry } from "../../contract/trade-log.ts";
import type { ChatId } from "../../domain/ids.ts";
import { reasonWhat } from "../../domain/reasons.ts";
import { csvLine } from "../ledger/export/csv.ts";
import type { Db } from "../store/postgres/db.ts";
import { listTradeLogOf, type LogFilter } from "../store/trade-log/trade-log.ts";
import { showEntry } from "./log-entry.ts";

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
];

/** Number of rows read and written at a time. */
const PART = 500;

/** Writes a chat's whole log as CSV, newest first: exact figures, times in UTC. */
export async function* tradeLogCsv(
  db: Db,
  chatId: ChatId,
  filter: LogFilter,
): AsyncGenerator<string> {
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
