import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import { formatDecimal, parseDecimal } from "../../../../domain/amount.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { sortedBy } from "../../../lib/sorted-by.ts";
import type { SortOrder } from "../../../ui/sort-head.tsx";

/** Columns of the log in their order; each can be sorted by. */
export const LOG_COLUMNS = [
  "Market",
  "Size",
  "Percentage",
  "Type",
  "Side",
  "Signal",
  "Price",
  "P&L",
  "Date",
] as const;

export type LogColumn = (typeof LOG_COLUMNS)[number];

export type LogOrder = SortOrder<LogColumn>;

/** Order of the server's pages: newest first. */
export const NEWEST_FIRST: LogOrder = { column: "Date", isAscending: false };

/** Value of a filter that lets everything through. */
export const ANY = "any";

/** Value of the rule filter for entries that no rule made. */
export const NO_RULE = "none";

/** What of a log is shown, and in which order. */
export interface LogArrangement {
  readonly order: LogOrder;
  /** Side as in the entries, or `ANY`. */
  readonly side: string;
  /** Id of a rule, `NO_RULE` or `ANY`. */
  readonly rule: string;
  /** Year-month-day in the shown time zone; empty for all days. */
  readonly day: string;
}

export const AS_RECORDED: LogArrangement = {
  order: NEWEST_FIRST,
  side: ANY,
  rule: ANY,
  day: "",
};

/** Returns whether a filter is set. */
const isFiltered = ({ side, rule, day }: LogArrangement): boolean =>
  side !== ANY || rule !== ANY || day !== "";

/** Returns whether an arrangement needs the whole log, because its first rows can be anywhere in it. */
export const needsAll = (arranged: LogArrangement): boolean =>
  isFiltered(arranged) ||
  arranged.order.column !== NEWEST_FIRST.column ||
  arranged.order.isAscending !== NEWEST_FIRST.isAscending;

const numberOf = (text: string | undefined): number =>
  text === undefined || text.trim() === "" ? Number.NaN : Number(text);

const KEYS: Readonly<Record<LogColumn, (entry: TradeLogEntry) => string | number>> = {
  Market: ({ market }) => market,
  Size: ({ size }) => numberOf(size),
  Percentage: ({ percentage }) => numberOf(percentage),
  Type: ({ type }) => type,
  Side: ({ side }) => side,
  Signal: ({ signal }) => signalText(signal),
  Price: ({ price }) => numberOf(price),
  "P&L": ({ pnl }) => numberOf(pnl),
  Date: ({ at }) => at,
};

/**
 * Returns the entries that pass the filters, in order; entries that are equal in it stay newest first. `dayOf` returns
 * the day of a time in the shown zone.
 */
export function arrangeLog(
  entries: readonly TradeLogEntry[],
  arranged: LogArrangement,
  dayOf: (at: string) => string,
): readonly TradeLogEntry[] {
  if (!needsAll(arranged)) return entries;
  const { order, side, rule, day } = arranged;
  const passed = entries.filter(
    (entry) =>
      (side === ANY || entry.side === side) &&
      (rule === ANY || (entry.ruleId ?? NO_RULE) === rule) &&
      (day === "" || dayOf(entry.at) === day),
  );
  return sortedBy(passed, KEYS[order.column], order.isAscending);
}

/** Sums of a log, exact, as decimal text in quote. */
export interface LogSums {
  readonly total: string;
  /** Below zero they were paid, as in Performance. */
  readonly fees: string;
  readonly pnl: string;
  /** Closings whose PnL is in `pnl`. */
  readonly closings: number;
}

/** Decimals of the sums, as many as any quote token has. */
const DECIMALS = 9;

function unitsOf(text = "0"): bigint {
  const isNegative = text.startsWith("-");
  const units = parseDecimal(isNegative ? text.slice(1) : text, DECIMALS);
  if (units === null) throw new Error(`Not an amount of a trade: ${text}`);
  return isNegative ? -units : units;
}

/** Sums what was traded; entries that failed or wait are not in it. */
export function sumLog(entries: readonly TradeLogEntry[]): LogSums {
  let [total, fees, pnl] = [0n, 0n, 0n];
  let closings = 0;
  for (const entry of entries) {
    if (entry.status !== "success") continue;
    total += unitsOf(entry.total);
    fees -= unitsOf(entry.fee);
    pnl += unitsOf(entry.pnl);
    if (entry.pnl !== undefined) closings += 1;
  }
  const text = (units: bigint) => formatDecimal(units, DECIMALS);
  return { total: text(total), fees: text(fees), pnl: text(pnl), closings };
}
