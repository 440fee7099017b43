import { formatDecimal, mulDiv } from "../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../domain/market.ts";
import type { EquityPoint } from "../../store/ledger/equity-points.ts";
import type { StoredEntry } from "../../store/ledger/ledger.ts";
import type { TradeRow } from "../../store/ledger/ledger-export.ts";

/** One row of a file: values by column name, in column order. Amounts are exact decimal text. */
export type ExportRow = Readonly<Record<string, string>>;

/** Decimals of a price computed from two exact amounts; the last one is rounded. */
const PRICE_PLACES = 9;

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** Returns the amounts of one transaction's fills in one market on one side, without signs but the fee's. */
export function tradeColumns(trade: TradeRow) {
  const size = trade.base < 0n ? -trade.base : trade.base;
  const total = trade.quote < 0n ? -trade.quote : trade.quote;
  const scale = 10n ** BigInt(trade.baseDecimals + PRICE_PLACES);
  const price =
    size === 0n ? 0n : mulDiv(total, scale, size * 10n ** BigInt(trade.decimals), "half_up");
  return {
    size: formatDecimal(size, trade.baseDecimals),
    price: formatDecimal(price, PRICE_PLACES),
    total: formatDecimal(total, trade.decimals),
    fee: formatDecimal(trade.fee, trade.decimals),
  };
}

/** Returns the row of one transaction's fills in one market on one side. */
export function tradeRow(trade: TradeRow, agent: string): ExportRow {
  const { size, price, total, fee } = tradeColumns(trade);
  return {
    time: timeOf(trade.atMs),
    agent,
    agent_id: trade.agentId,
    network: trade.network,
    market: trade.market,
    side: trade.base < 0n ? "sell" : "buy",
    size,
    price,
    total,
    total_asset: trade.asset,
    fee,
    realised_pnl: trade.realised === null ? "" : formatDecimal(trade.realised, trade.decimals),
    signature: trade.signature,
    slot: trade.slot.toString(),
  };
}

/** Returns the row of one ledger entry. */
export function ledgerRow(
  entry: StoredEntry & { readonly network: string },
  agent: string,
): ExportRow {
  const { base, realised, asset, decimals } = entry;
  const isTraded = base !== undefined && base.amount !== 0n && base.marketId !== asset;
  return {
    time: timeOf(entry.atMs),
    agent,
    agent_id: entry.agentId,
    network: entry.network,
    kind: entry.kind,
    place: entry.place,
    market: entry.market,
    asset,
    amount: formatDecimal(entry.amount, decimals),
    base_asset: isTraded ? base.marketId : "",
    base_amount: isTraded ? formatDecimal(base.amount, base.decimals) : "",
    realised_pnl: realised === null ? "" : formatDecimal(realised, decimals),
    signature: entry.signature,
    slot: entry.slot.toString(),
    entry: entry.seq.toString(),
  };
}

/** Returns the row of one equity point. */
export function equityRow(
  point: EquityPoint & { readonly network: string },
  agent: string,
): ExportRow {
  return {
    time: timeOf(point.atMs),
    agent,
    agent_id: point.agentId,
    network: point.network,
    value: formatDecimal(point.value, point.decimals),
    net_flow: formatDecimal(point.netFlow, point.decimals),
    asset: point.asset,
    market: point.market,
    price: point.price === null ? "" : formatDecimal(point.price, PRICE_DECIMALS),
    price_time: point.priceAtMs === null ? "" : timeOf(point.priceAtMs),
    cause: point.cause,
  };
}

/** Leading characters of a cell that a spreadsheet treats as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Returns one line of a CSV file (RFC 4180).
 *
 * Text that a spreadsheet would treat as a formula is prefixed with an apostrophe; numbers, including negative ones,
 * are unchanged.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
