import { clsx } from "clsx";
import { ChevronRight, ExternalLink } from "lucide-react";
import { useRef } from "react";
import { PLAN_ACT_WORDS } from "../../../../domain/plan/plan.ts";
import { reasonWhat } from "../../../../domain/reasons.ts";
import { displayPrice, groupThousands } from "../../../lib/format.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { useReleasedFocus } from "../../../lib/use-released-focus.ts";
import { Badge } from "../../../ui/badge.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import { CARD_GRID, COLUMN_GRID, type RowLayout } from "./row-layout.ts";

interface TradeRowProps {
  readonly entry: TradeLogEntry;
  /** Index in the whole list, from 0. */
  readonly index: number;
  /** Offset of the row in the list, in pixels. */
  readonly top: number;
  readonly layout: RowLayout;
  readonly explorerUrl: ((signature: string) => string) | null;
  readonly showReason: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function SideText({ side }: { readonly side: string }) {
  const isLong = /^(long|buy)$/i.test(side);
  const isShort = /^(short|sell)$/i.test(side);
  if (!isLong && !isShort) return <>{side === "" ? "-" : side}</>;
  return (
    <span className={isLong ? "text-up" : "text-down"}>
      <span aria-hidden>{isLong ? "▲ " : "▼ "}</span>
      {side.charAt(0).toUpperCase() + side.slice(1)}
    </span>
  );
}

export function Proof({
  signature,
  explorerUrl,
}: { readonly signature: string } & Pick<TradeRowProps, "explorerUrl">) {
  if (explorerUrl === null) {
    return (
      <span className="relative z-1">
        <CopyButton text={signature} label="Copy signature" />
      </span>
    );
  }
  return (
    <a
      href={explorerUrl(signature)}
      target="_blank"
      rel="noopener noreferrer"
      aria-label="Open in explorer"
      className="relative z-1 inline-flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-ink"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

const dash = (text: string): string => (text.trim() === "" ? "-" : text);

/** Returns the filled size; an order without a fill has none yet. */
const sizeText = (size: string): string => (size === "0" ? "-" : dash(groupThousands(size)));

/** Row of one entry; the cells' DOM order does not depend on the layout. */
export function TradeRow(props: TradeRowProps) {
  const { entry, index, top, layout, explorerUrl, showReason, isOpen, onToggle } = props;
  const { isCard, rowPx } = layout;
  const outcome = outcomeOf(entry);
  const hasReason = showReason && entry.reason !== undefined;
  const rowRef = useRef<HTMLTableRowElement>(null);
  useReleasedFocus(rowRef);
  const small = isCard && "row-start-2 text-xs text-muted";
  return (
    <tr
      ref={rowRef}
      aria-rowindex={index + 2}
      style={{ top, height: rowPx }}
      className={clsx(
        "absolute inset-x-0 border-b text-sm hover:bg-hover",
        isCard ? CARD_GRID : COLUMN_GRID,
      )}
    >
      <td className={clsx("truncate font-medium", isCard && "col-start-1 row-start-1")}>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex max-w-full items-center gap-1 rounded-sm text-left after:absolute after:inset-0"
        >
          <ChevronRight
            aria-hidden
            className={clsx(
              "size-3.5 shrink-0 text-faint transition-transform",
              isOpen && "rotate-90",
            )}
          />
          <span className="truncate">{dash(entry.market)}</span>
        </button>
      </td>
      <td className={clsx("truncate", isCard ? [small, "col-start-1"] : "text-right")}>
        {sizeText(entry.size)}
      </td>
      <td className={clsx(isCard ? [small, "col-start-2"] : "text-right")}>
        {entry.percentage.trim() === "" ? "-" : `${entry.percentage}%`}
      </td>
      <td className={clsx("truncate text-muted", isCard ? [small, "col-start-3"] : "pl-3")}>
        {dash(entry.type)}
      </td>
      <td className={clsx(isCard && "col-start-2 row-start-1")}>
        <SideText side={entry.side} />
      </td>
      <td
        className={clsx(
          "flex min-w-0 flex-wrap items-center gap-x-1.5",
          isCard && "col-start-3 row-start-1",
        )}
      >
        {signalText(entry.signal)}
        {entry.plan && <Badge>{PLAN_ACT_WORDS[entry.plan]}</Badge>}
        {entry.byOwner && entry.type !== "transfer" && <Badge>By you</Badge>}
        {outcome && <Badge tone={outcome.tone}>{outcome.label}</Badge>}
      </td>
      <td className={isCard ? "sr-only" : "truncate text-right"} title={entry.price}>
        {entry.price === undefined ? "-" : `$${displayPrice(entry.price)}`}
      </td>
      <td
        className={clsx(
          isCard ? "col-start-3 row-start-2 justify-self-end text-xs" : "truncate text-right",
        )}
      >
        {entry.pnl === undefined ? (
          <span className="text-faint">-</span>
        ) : (
          <Figure value={entry.pnl} prefix="$" toned />
        )}
      </td>
      <td
        className={clsx(
          "flex items-center gap-1",
          isCard ? "col-start-4 row-span-2 row-start-1" : "justify-between",
        )}
      >
        <span className="flex flex-col text-xs leading-4">
          <TimeText at={entry.at} as="date" />
          <TimeText at={entry.at} as="time" className="text-muted" />
        </span>
        {entry.signature !== undefined && (
          <Proof signature={entry.signature} explorerUrl={explorerUrl} />
        )}
      </td>
      {hasReason && (
        <td className={clsx("col-span-full min-w-0", isCard ? "row-start-3" : "row-start-2")}>
          <Reason text={reasonWhat(entry.reason ?? "")} />
        </td>
      )}
    </tr>
  );
}

/** Reason, possibly truncated; the title attribute has the whole sentence. */
function Reason({ text }: { readonly text: string }) {
  return (
    <span title={text} className="block w-full truncate text-xs text-muted">
      {text}
    </span>
  );
}

/** Reasons shown as a separate outcome, beyond filled, pending and failed. */
const NAMED: Readonly<Record<string, { readonly tone: "warn" | "down"; readonly label: string }>> =
  {
    partially_filled: { tone: "warn", label: "Partly filled" },
    resting: { tone: "warn", label: "At the venue" },
    cancelled: { tone: "down", label: "Cancelled" },
    fills_unread: { tone: "warn", label: "Not known" },
    expired: { tone: "down", label: "Expired" },
  };

/** Returns an entry's mark; null when it filled as intended. */
export function outcomeOf({ status, reason }: Pick<TradeLogEntry, "status" | "reason">) {
  const named = reason !== undefined && Object.hasOwn(NAMED, reason) ? NAMED[reason] : undefined;
  if (named !== undefined) return named;
  if (status.toLowerCase() === "failed") return { tone: "down", label: "Failed" } as const;
  return status === "pending" ? ({ tone: "warn", label: "Pending" } as const) : null;
}
