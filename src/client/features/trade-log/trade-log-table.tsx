import type { LogEntry } from "./log-filter.ts";
import { COLUMN_GRID, rowLayout } from "./row-layout.ts";
import { TradeRow } from "./trade-row.tsx";
import { useScroller } from "./use-scroller.ts";
import { visibleRows } from "./visible-rows.ts";

const COLUMNS = ["Market", "Size", "Percentage", "Type", "Side", "Signal", "Date"] as const;

/** Figures stand to the right; what follows one keeps its distance. */
const HEAD_STYLES: Readonly<Record<string, string>> = {
  Size: "text-right",
  Percentage: "text-right",
  Type: "pl-3 text-left",
};

interface TradeLogTableProps {
  readonly entries: readonly LogEntry[];
  readonly explorerUrl: ((signature: string) => string) | null;
  readonly showReason: boolean;
}

/** A real table that draws only the rows on screen: the same speed with ten entries and with ten thousand. */
export function TradeLogTable({ entries, explorerUrl, showReason }: TradeLogTableProps) {
  const { rowPx } = rowLayout(0, showReason);
  const { boxRef, scrolled } = useScroller(rowPx);
  const layout = rowLayout(scrolled.width, showReason);
  const { start, end } = visibleRows(entries.length, layout.rowPx, scrolled);
  return (
    <div
      ref={boxRef}
      role="group"
      aria-label="Trade log entries"
      tabIndex={0}
      className="h-full overflow-y-auto outline-offset-[-2px]"
    >
      <table className="block" aria-label="Trade log" aria-rowcount={entries.length + 1}>
        <thead
          className={
            layout.isCard ? "sr-only" : "sticky top-0 z-10 block border-b bg-surface text-faint"
          }
        >
          <tr aria-rowindex={1} className={`${COLUMN_GRID} h-9`}>
            {COLUMNS.map((column) => (
              <th
                key={column}
                scope="col"
                className={`text-2xs font-medium ${HEAD_STYLES[column] ?? "text-left"}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="relative block" style={{ height: entries.length * layout.rowPx }}>
          {entries.slice(start, end).map((entry, index) => (
            <TradeRow
              key={entry._id}
              entry={entry}
              index={start + index}
              layout={layout}
              explorerUrl={explorerUrl}
              showReason={showReason}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
