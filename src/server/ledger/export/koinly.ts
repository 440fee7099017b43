import { formatDecimal } from "../../../domain/amount.ts";
import type { StoredEntry } from "../../store/ledger/ledger.ts";
import type { ExportRow } from "./rows.ts";

/** Columns of Koinly's universal template. Source: support.koinly.io, "How to create a custom CSV file with your data" */
const COLUMNS = [
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

type Column = (typeof COLUMNS)[number];

const EMPTY = Object.fromEntries(COLUMNS.map((column) => [column, ""])) as Record<Column, string>;

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

/** Column names, also for a file without rows. */
export const KOINLY_COLUMNS: readonly string[] = COLUMNS;
