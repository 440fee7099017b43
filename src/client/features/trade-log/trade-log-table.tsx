import { Fragment, useEffect, useState } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { TradeLogEntry } from "../../queries/trade-log.ts";
import { Button } from "../../ui/button.tsx";
import { COLUMN_GRID, rowLayout } from "./row-layout.ts";
import { Proof, TradeRow } from "./trade-row.tsx";
import { TradeDetails } from "./trade-details.tsx";
import { useScroller } from "./use-scroller.ts";
import { closedScrollTop, shiftOf, visibleRows } from "./visible-rows.ts";
import type { SignedInWallet } from "../../lib/session.ts";

const COLUMNS = ["Market", "Size", "Percentage", "Type", "Side", "Signal", "Date"] as const;

/** Header styles: figures are right-aligned and the next column keeps a distance. */
const HEAD_STYLES: Readonly<Record<string, string>> = {
  Size: "text-right",
  Percentage: "text-right",
  Type: "pl-3 text-left",
};

interface TradeLogTableProps {
  readonly address: SignedInWallet;
  readonly chatId: ChatId | "";
  /** Loaded entries, newest first. */
  readonly entries: readonly TradeLogEntry[];
  /** Number of entries of the whole list, loaded or not. */
  readonly rowCount: number;
  /** Called with the number of rows that are scrolled to. */
  readonly onReach: (rows: number) => void;
  /** Present while older entries are loaded; `retry` after that failed. */
  readonly older: { readonly retry: (() => void) | null } | null;
  readonly explorerUrl: ((signature: string) => string) | null;
  readonly showReason: boolean;
  /** Opens the decision graph of an entry. */
  readonly onShowDecision: (entryId: string) => void;
}

/** Table with virtual rows: its speed does not depend on the number of entries. */
export function TradeLogTable(props: TradeLogTableProps) {
  const { address, chatId, entries, rowCount, onReach, older, explorerUrl, showReason } = props;
  const [openedId, setOpenedId] = useState<string | null>(null);
  const { rowPx } = rowLayout(0, showReason);
  const { boxRef, scrolled } = useScroller(rowPx);
  const layout = rowLayout(scrolled.width, showReason);
  const openedIndex = openedId === null ? -1 : entries.findIndex((entry) => entry.id === openedId);
  const detailsPx =
    layout.detailsPx + (entries[openedIndex]?.reason === undefined ? 0 : layout.reasonPx);
  const opened = openedIndex < 0 ? null : { index: openedIndex, detailsPx };
  const { start, end } = visibleRows(rowCount, layout.rowPx, {
    ...scrolled,
    scrollTop: closedScrollTop(scrolled.scrollTop, layout.rowPx, opened),
  });
  useEffect(() => onReach(end), [onReach, end]);
  const topOf = (index: number) => index * layout.rowPx + shiftOf(index, opened);
  return (
    <div
      ref={boxRef}
      role="group"
      aria-label="Trade log entries"
      tabIndex={0}
      className="h-full overflow-y-auto outline-offset-[-2px]"
    >
      <table className="block" aria-label="Trade log" aria-rowcount={rowCount + 1}>
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
        <tbody className="relative block" style={{ height: topOf(rowCount) }}>
          {entries.slice(start, end).map((entry, index) => (
            <Fragment key={entry.id}>
              <TradeRow
                entry={entry}
                index={start + index}
                top={topOf(start + index)}
                layout={layout}
                explorerUrl={explorerUrl}
                showReason={showReason}
                isOpen={start + index === openedIndex}
                onToggle={() => setOpenedId(entry.id === openedId ? null : entry.id)}
              />
              {start + index === openedIndex && (
                <tr
                  style={{ top: topOf(openedIndex) + layout.rowPx, height: detailsPx }}
                  className="absolute inset-x-0 block overflow-y-auto border-b bg-raised px-4 py-2.5"
                >
                  <td colSpan={COLUMNS.length} className="block">
                    <TradeDetails
                      address={address}
                      chatId={chatId}
                      entry={entry}
                      onShowDecision={() => props.onShowDecision(entry.id)}
                      proof={
                        entry.signature !== undefined && (
                          <Proof signature={entry.signature} explorerUrl={explorerUrl} />
                        )
                      }
                    />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {older !== null && end > entries.length && (
        <OlderNote {...older} isAlone={start >= entries.length} />
      )}
    </div>
  );
}

interface OlderNoteProps {
  readonly retry: (() => void) | null;
  /** Whether no row beside it is loaded. */
  readonly isAlone: boolean;
}

/** Stands where rows are not loaded yet: below the last ones, or in the middle of an empty box. */
function OlderNote({ retry, isAlone }: OlderNoteProps) {
  return (
    <div
      role="status"
      className={`sticky flex items-center justify-center gap-3 px-4 py-2 text-xs text-muted ${isAlone ? "bottom-1/2" : "bottom-0 border-t bg-surface"}`}
    >
      {retry === null ? "Loading older trades..." : "Older trades could not be loaded."}
      {retry !== null && (
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
