import { reasonWhat } from "../../../domain/reasons.ts";
import type { TradeLogEntry } from "../../queries/trade-log.ts";

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

/** Returns whether a spreadsheet would run the text as a formula; numbers are excluded. */
const isFormula = (text: string): boolean =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text);

function cell(text: string): string {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the log as comma-separated text (RFC 4180), exact figures, times in UTC. */
export function logCsv(entries: readonly TradeLogEntry[]): string {
  const rows = [
    COLUMNS.map(([name]) => name),
    ...entries.map((entry) => COLUMNS.map(([, read]) => cell(read(entry)))),
  ];
  return rows.map((row) => `${row.join(",")}\r\n`).join("");
}
