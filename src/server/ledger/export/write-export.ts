import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../../store/postgres/db.ts";
import type { LedgerOwner, LedgerRange } from "../../store/ledger/ledger.ts";
import { streamEntries, streamPoints, streamTrades } from "../../store/ledger/ledger-export.ts";
import { csvLine } from "./csv.ts";
import { KOINLY_COLUMNS, koinlyRow } from "./koinly.ts";
import { equityRow, type ExportRow, ledgerRow, tradeRow } from "./rows.ts";

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

function columnsOf({ what, format }: Export): readonly string[] {
  return format === "koinly" ? KOINLY_COLUMNS : COLUMNS[what].split(",");
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
