import { ROW_GRID, TradeRow } from "./trade-row.tsx";
import type { LogEntry } from "./log-filter.ts";

const COLUMNS = ["Market", "Size", "Percentage", "Type", "Side", "Signal", "Date"] as const;

interface TradeLogTableProps {
  readonly entries: readonly LogEntry[];
  readonly explorerUrl: ((signature: string) => string) | null;
  readonly showReason: boolean;
}

/** A real table whose rows are grids: semantics for screen readers, cheap updates for thousands of rows. */
export function TradeLogTable({ entries, explorerUrl, showReason }: TradeLogTableProps) {
  return (
    <table className="block min-w-[680px]" aria-label="Trade log">
      <thead className="sticky top-0 z-10 block border-b bg-surface">
        <tr className={`${ROW_GRID} h-9`}>
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={`text-2xs font-medium text-faint ${
                column === "Size" || column === "Percentage" ? "text-right" : "text-left"
              }`}
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block">
        {entries.map((entry) => (
          <TradeRow
            key={entry._id}
            entry={entry}
            explorerUrl={explorerUrl}
            showReason={showReason}
          />
        ))}
      </tbody>
    </table>
  );
}
