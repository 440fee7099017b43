import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { type TradeLogEntry, getTradeDetails } from "../../../../contract/trade-log.ts";
import { useRead } from "../../../queries/read.ts";
import { Fragment, useEffect, useState, type ReactNode, useRef } from "react";
import type { ChatId } from "../../../../domain/ids.ts";
import { Button } from "../../../ui/button.tsx";
import { COLUMN_GRID, rowLayout } from "./row-layout.ts";
import { LOG_COLUMNS, type LogArrangement, type LogOrder } from "./arranged-log.ts";
import { Proof, TradeRow } from "./trade-row.tsx";
import { Network } from "lucide-react";
import { reasonTodo, reasonWhat } from "../../../../domain/reasons.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { groupThousands } from "../../../lib/format.ts";
import { Figure } from "../../../ui/figure.tsx";
import { SortHead } from "../../../ui/sort-head.tsx";

/** Header styles: figures are right-aligned and the next column keeps a distance. */
const HEAD_STYLES: Readonly<Record<string, string>> = {
  Size: "text-right",
  Percentage: "text-right",
  Type: "pl-3 text-left",
  Price: "text-right",
  "P&L": "text-right",
};

interface TradeLogTableProps {
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
  /** Filters and order of the entries; a change scrolls to the first row. */
  readonly arranged: LogArrangement;
  readonly onOrder: (order: LogOrder) => void;
  /** Opens the decision graph of an entry. */
  readonly onShowDecision: (entryId: string) => void;
}

/** Table with virtual rows: its speed does not depend on the number of entries. */
export function TradeLogTable(props: TradeLogTableProps) {
  const { chatId, entries, rowCount, onReach, older, explorerUrl, showReason } = props;
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
  useEffect(() => {
    // Browsers answer with a promise, which is no clean-up
    boxRef.current?.scrollTo(0, 0);
  }, [boxRef, props.arranged]);
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
            {LOG_COLUMNS.map((column) => (
              <SortHead
                key={column}
                column={column}
                order={props.arranged.order}
                onOrder={props.onOrder}
                className={`text-2xs ${HEAD_STYLES[column] ?? "text-left"}`}
              />
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
                  <td colSpan={LOG_COLUMNS.length} className="block">
                    <TradeDetails
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

interface TradeDetailsProps {
  readonly chatId: ChatId | "";
  readonly entry: TradeLogEntry;
  readonly proof: ReactNode;
  /** Opens the decision graph of the entry. */
  readonly onShowDecision: () => void;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Returns slippage against the market price at the decision, for instance `0.12% worse`. */
function slippageText(slippage: string): string {
  const size = slippage.replace("-", "");
  if (!/[1-9]/.test(size)) return "0.00%";
  return `${size}% ${slippage.startsWith("-") ? "better" : "worse"}`;
}

/** Details of an entry: price, fee, P&L, slippage, latency from alert to fill, signature and reason. */
function TradeDetails(props: TradeDetailsProps) {
  const { chatId, entry, proof, onShowDecision } = props;
  const { data, isError, refetch } = useRead(getTradeDetails, {
    query: { chatId, entryId: entry.id },
  });
  const times = useTimes();
  const todo = entry.reason === undefined ? null : reasonTodo(entry.reason, entry.signal);
  const isFilled = entry.status === "success";
  return (
    <div className="flex flex-col gap-2">
      {entry.reason !== undefined && (
        <p className="text-xs">
          {reasonWhat(entry.reason)} {todo !== null && <span className="text-muted">{todo}</span>}
        </p>
      )}
      {isError && <NotLoaded onRetry={refetch}>The details could not be loaded.</NotLoaded>}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1.5 text-xs md:grid-cols-4">
        <Detail term="Price">
          <Exact prefix="$" text={entry.price} />
        </Detail>
        <Detail term="Market price" title="When the order was decided">
          <Exact prefix="$" text={data?.marketPrice} />
        </Detail>
        <Detail term="Slippage">
          {data?.slippage === undefined ? "–" : slippageText(data.slippage)}
        </Detail>
        <Detail term="Fee">
          <Exact prefix="$" text={entry.fee} />
        </Detail>
        <Detail term="Total">{isFilled ? <Exact prefix="$" text={entry.total} /> : "–"}</Detail>
        <Detail term="P&L" title="What the closing earned, fees of both sides counted, funding not">
          {data?.pnl === undefined ? (
            <span className="text-faint">{isOpening(entry) ? "Known when it is closed" : "–"}</span>
          ) : (
            <>
              <Figure value={data.pnl} prefix="$" toned />
              {data.pnlPercent !== undefined && (
                <>
                  {" "}
                  (<Figure value={data.pnlPercent} unit="%" toned />)
                </>
              )}
            </>
          )}
        </Detail>
        <Detail
          term="Alert to fill"
          {...(data?.alertAt !== undefined && { title: `Alert at ${times.full(data.alertAt)}` })}
        >
          {data?.fillMs === undefined ? "–" : seconds(data.fillMs)}
        </Detail>
        <Detail term="Signature">
          {entry.signature === undefined ? (
            "–"
          ) : (
            <span className="flex min-w-0 items-center gap-1">
              <span className="truncate font-mono" title={entry.signature}>
                {entry.signature}
              </span>
              {proof}
            </span>
          )}
        </Detail>
      </dl>
      <Button size="small" className="self-start" onClick={onShowDecision}>
        <Network aria-hidden />
        Why this trade
      </Button>
    </div>
  );
}

/** Returns whether an entry opens a position; when a position is reversed, the closing half has the opening's signal. */
const isOpening = ({ status, signal, side }: TradeLogEntry): boolean =>
  status === "success" && signal.startsWith("OPEN_") && side !== "sell";

function Exact({ prefix, text }: { readonly prefix: string; readonly text: string | undefined }) {
  return text === undefined ? "–" : `${prefix}${groupThousands(text)}`;
}

interface DetailProps {
  readonly term: string;
  readonly title?: string;
  readonly children: ReactNode;
}

function Detail({ term, title, children }: DetailProps) {
  return (
    <div className="min-w-0">
      <dt className="text-2xs text-faint" title={title}>
        {term}
      </dt>
      <dd className="truncate">{children}</dd>
    </div>
  );
}

interface Scrolled {
  readonly scrollTop: number;
  readonly height: number;
  readonly width: number;
}

/** Tracks a scroll container: its size, and its scroll offset rounded down to rows. */
function useScroller(rowPx: number) {
  const boxRef = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState<Scrolled>({ scrollTop: 0, height: 0, width: 0 });
  useEffect(() => {
    const box = boxRef.current;
    if (!box) return;
    const read = () => {
      // Rounded to rows: smaller movements need no rerender
      const scrollTop = Math.floor(box.scrollTop / rowPx) * rowPx;
      const { clientHeight: height, clientWidth: width } = box;
      setScrolled((last) =>
        last.scrollTop === scrollTop && last.height === height && last.width === width
          ? last
          : { scrollTop, height, width },
      );
    };
    const observer = new ResizeObserver(read);
    observer.observe(box);
    box.addEventListener("scroll", read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", read);
    };
  }, [rowPx]);
  return { boxRef, scrolled };
}

/** Number of rows rendered beyond each edge, so that fast scrolling shows no gap. */
const OVERSCAN = 3;
/** Number of rows rendered while the height is unknown. */
const FIRST_ROWS = 30;

interface Viewport {
  /** Scroll offset, in pixels. */
  readonly scrollTop: number;
  /** Visible height in pixels; 0 while unknown. */
  readonly height: number;
}

/** Opened row and the height of its details. */
interface OpenedRow {
  readonly index: number;
  readonly detailsPx: number;
}

/** Returns the pixels by which an opened row above shifts a row. */
export const shiftOf = (index: number, opened: OpenedRow | null): number =>
  opened !== null && index > opened.index ? opened.detailsPx : 0;

/** Returns the scroll offset without the opened row's details, in pixels. */
export function closedScrollTop(
  scrollTop: number,
  rowPx: number,
  opened: OpenedRow | null,
): number {
  if (opened === null) return scrollTop;
  const end = (opened.index + 1) * rowPx;
  return scrollTop <= end ? scrollTop : Math.max(end, scrollTop - opened.detailsPx);
}

/** Returns the range of rows to render, end exclusive. */
export function visibleRows(
  count: number,
  rowPx: number,
  { scrollTop, height }: Viewport,
): { readonly start: number; readonly end: number } {
  const first = Math.floor(Math.max(0, scrollTop) / rowPx);
  const shown = height === 0 ? FIRST_ROWS : Math.ceil(height / rowPx) + 1;
  const start = Math.max(0, Math.min(first, count - shown) - OVERSCAN);
  return { start, end: Math.min(count, Math.max(first, start) + shown + OVERSCAN) };
}
