import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../../store/postgres/db.ts";
import type { LedgerOwner, LedgerRange, StoredEntry } from "../../store/ledger/ledger.ts";
import { streamEntries, streamPoints, streamTrades } from "../../store/ledger/ledger-export.ts";
import { equityRow, type ExportRow, ledgerRow, tradeRow, csvLine } from "./rows.ts";
import { formatDecimal } from "../../../domain/amount.ts";

export interface Export {
  readonly what: "trades" | "ledger" | "equity";
  readonly format: "csv" | "json" | "koinly";
  readonly owner: LedgerOwner;
  readonly range: LedgerRange;
  /** Names of the agents, by id; of a whole wallet also those of deleted ones. */
  readonly names: ReadonlyMap<string, string>;
}

/** Number of characters per chunk. */
const PART_LENGTH = 64_000;

/** Streams a file in chunks, at the reader's pace. */
export async function* writeExport(db: Db, wanted: Export): AsyncGenerator<string> {
  const rows = rowsOf(db, wanted);
  yield* inParts(wanted.format === "json" ? jsonOf(rows) : csvOf(rows, columnsOf(wanted)));
}

async function* rowsOf(
  db: Db,
  { what, format, owner, range, names }: Export,
): AsyncGenerator<ExportRow> {
  const nameOf = (agentId: AgentId): string => names.get(agentId) ?? "";
  if (what === "trades") {
    for await (const trade of streamTrades(db, owner, range))
      yield tradeRow(trade, nameOf(trade.agentId));
  } else if (what === "equity") {
    for await (const point of streamPoints(db, owner, range))
      yield equityRow(point, nameOf(point.agentId));
  } else {
    for await (const entry of streamEntries(db, owner, range)) {
      const row = format === "koinly" ? koinlyRow(entry) : ledgerRow(entry, nameOf(entry.agentId));
      if (row !== null) yield row;
    }
  }
}

const COLUMNS = {
  trades:
    "time,agent,agent_id,network,market,side,size,price,total,total_asset,fee,realised_pnl,signature,slot",
  ledger:
    "time,agent,agent_id,network,kind,place,market,asset,amount,base_asset,base_amount,realised_pnl,signature,slot,entry",
  equity: "time,agent,agent_id,network,value,net_flow,asset,market,price,price_time,cause",
} as const;

/** Last, empty column of a file, whose name says how to read the others. */
const READ_AS = {
  trades:
    "realised_pnl: at average cost; before fees and funding; a loss is negative. fee: of this trade; positive when paid",
  ledger:
    "amount: negative when it left. realised_pnl: at average cost; before fees and funding; a loss is negative. fees and funding: entries of their own",
  equity: "value: with unpaid funding; after fees. net_flow: deposits less withdrawals until then",
} as const;

function columnsOf({ what, format }: Export): readonly string[] {
  return format === "koinly" ? KOINLY_COLUMNS : [...COLUMNS[what].split(","), READ_AS[what]];
}

async function* csvOf(
  rows: AsyncIterable<ExportRow>,
  columns: readonly string[],
): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const row of rows) yield csvLine(columns.map((column) => row[column] ?? ""));
}

async function* jsonOf(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const row of rows) {
    yield before + JSON.stringify(row);
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function* inParts(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let part = "";
  for await (const piece of pieces) {
    part += piece;
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = "";
  }
  if (part !== "") yield part;
}

/** Columns of Koinly's universal template. Source: support.koinly.io, "How to create a custom CSV file with your data" */
export const KOINLY_COLUMNS = [
  "Date",
  "Sent Amount",
  "Sent Currency",
  "Received Amount",
  "Received Currency",
  "Fee Amount",
  "Fee Currency",
  "Net Worth Amount",
  "Net Worth Currency",
  "Label",
  "Description",
  "TxHash",
] as const;

type Column = (typeof KOINLY_COLUMNS)[number];

const EMPTY = Object.fromEntries(KOINLY_COLUMNS.map((column) => [column, ""])) as Record<
  Column,
  string
>;

interface Moved {
  readonly amount: bigint;
  readonly decimals: number;
  readonly asset: string;
}

/**
 * Returns an entry as a row of Koinly's universal template; null for transfers between an agent's own places, and for
 * network fees, which other wallets paid.
 *
 * The PnL of a perpetual is a realized gain, as Koinly requires for futures; buying and selling the asset itself is a
 * trade.
 */
export function koinlyRow(entry: StoredEntry): ExportRow | null {
  const { kind, place, base, asset, decimals, realised } = entry;
  const own: Moved = { amount: entry.amount, decimals, asset };
  switch (kind) {
    case "opening":
    case "deposit":
    case "withdrawal":
    case "external":
    case "rent_returned":
      return lineOf(entry, [own], "");
    case "rent_paid":
      return lineOf(entry, [own], "cost");
    case "interest":
      return lineOf(entry, [own], entry.amount > 0n ? "lending interest" : "cost");
    case "fee":
      return lineOf(entry, [own], entry.amount < 0n ? "margin fee" : "fee refund");
    case "funding":
      return lineOf(entry, [own], "realized gain");
    case "trade":
      if (place === "vault" && base !== undefined) {
        const bought = { amount: base.amount, decimals: base.decimals, asset: base.marketId };
        return lineOf(entry, [own, bought], "");
      }
      if (realised === null || realised === 0n) return null;
      return lineOf(entry, [{ ...own, amount: realised }], "realized gain");
    case "transfer":
    case "settlement":
    case "network_fee":
      return null;
  }
}

function lineOf(entry: StoredEntry, moves: readonly Moved[], label: string): ExportRow {
  const row: Record<Column, string> = {
    ...EMPTY,
    Date: `${new Date(entry.atMs).toISOString().slice(0, 19).replace("T", " ")} UTC`,
    Label: label,
    Description: [entry.market, entry.kind.replaceAll("_", " ")].filter(Boolean).join(" "),
    TxHash: entry.signature,
  };
  for (const { amount, decimals, asset } of moves) {
    const side = amount < 0n ? "Sent" : "Received";
    row[`${side} Amount`] = formatDecimal(amount < 0n ? -amount : amount, decimals);
    row[`${side} Currency`] = asset;
  }
  return row;
}
