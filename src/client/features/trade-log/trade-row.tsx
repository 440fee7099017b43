import { ExternalLink } from "lucide-react";
import { formatDate, formatTime } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { LogEntry } from "./log-filter.ts";
import { reasonText } from "./reason-text.ts";
import { signalText } from "./signal-text.ts";

/** One grid for head and rows; rows are grids so that content-visibility works on them. */
export const ROW_GRID =
  "grid grid-cols-[minmax(88px,1.2fr)_minmax(84px,1.1fr)_minmax(64px,0.8fr)_minmax(64px,0.8fr)_minmax(72px,0.8fr)_minmax(120px,1.4fr)_minmax(92px,1fr)] items-center gap-x-3 px-4";

interface TradeRowProps {
  readonly entry: LogEntry;
  readonly explorerUrl: ((signature: string) => string) | null;
  readonly showReason: boolean;
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

function Proof({
  signature,
  explorerUrl,
}: { readonly signature: string } & Pick<TradeRowProps, "explorerUrl">) {
  if (explorerUrl === null) return <CopyButton text={signature} label="Copy signature" />;
  return (
    <a
      href={explorerUrl(signature)}
      target="_blank"
      rel="noopener noreferrer"
      aria-label="Open in explorer"
      className="inline-flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-ink"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

const dash = (text: string): string => (text.trim() === "" ? "-" : text);

export function TradeRow({ entry, explorerUrl, showReason }: TradeRowProps) {
  const isFailed = entry.status.toLowerCase() === "failed";
  return (
    <tr
      className={`${ROW_GRID} min-h-12 border-b py-1.5 text-sm hover:bg-hover [contain-intrinsic-size:auto_48px] [content-visibility:auto]`}
    >
      <td className="truncate font-medium">{dash(entry.market)}</td>
      <td className="truncate text-right">{dash(entry.size)}</td>
      <td className="text-right">
        {entry.percentage.trim() === "" ? "-" : `${entry.percentage}%`}
      </td>
      <td className="truncate text-muted">{dash(entry.type)}</td>
      <td>
        <SideText side={entry.side} />
      </td>
      <td className="flex min-w-0 flex-wrap items-center gap-1.5">
        {signalText(entry.webhookSignal)}
        {entry.status === "pending" && <Badge tone="warn">Pending</Badge>}
        {isFailed && <Badge tone="down">Failed</Badge>}
        {showReason && entry.reason !== undefined && (
          <span className="basis-full text-xs text-muted">{reasonText(entry.reason)}</span>
        )}
      </td>
      <td className="flex items-center justify-between gap-1">
        <time dateTime={entry.timestamps} className="flex flex-col text-xs leading-4">
          <span>{formatDate(entry.timestamps)}</span>
          <span className="text-muted">{formatTime(entry.timestamps)}</span>
        </time>
        {entry.signature !== undefined && (
          <Proof signature={entry.signature} explorerUrl={explorerUrl} />
        )}
      </td>
    </tr>
  );
}
