import { NothingLoaded } from "../../../ui/not-loaded.tsx";
import { countTradeLog } from "../../../../contract/trade-log.ts";
import { useRead } from "../../../queries/read.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, ScrollText } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ChatId } from "../../../../domain/ids.ts";
import type { Network } from "../../../../domain/network.ts";
import { deploymentQuery } from "../../../queries/deployment.ts";
import { explorerLink } from "../../../queries/explorer.ts";
import { fetchLogCsv, type LogFilter, useTradeLog } from "../../../queries/trade-log.ts";
import { downloadFile } from "../../../lib/download.ts";
import { toastError } from "../../../lib/toast.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ZoneNote } from "../../../ui/time-text.tsx";
import { AssetHeader } from "./asset-header.tsx";
import { TradeLogTable } from "./trade-log-table.tsx";
import { useOwner } from "../../../lib/session.ts";
import { StaleNote } from "../../../ui/stale-note.tsx";

interface TradeLogProps {
  readonly chatId: ChatId | "";
  readonly network: Network;
  /** Asset of the chat's agent; absent without an agent. */
  readonly asset: string | undefined;
  /** Opens the decision graph of an entry. */
  readonly onShowDecision: (entryId: string) => void;
}

/** Number of entries loaded beyond the last visible one, so that scrolling seldom waits. */
const READ_AHEAD = 100;

/** Trade log of one chat: filled and pending orders; entries that need attention are behind a filter. */
export function TradeLog({ chatId, network, asset, onShowDecision }: TradeLogProps) {
  const address = useOwner();
  const [filter, setFilter] = useState<LogFilter>("trades");
  const [reached, setReached] = useState(0);
  const { log, isLoadingOlder, retryOlder } = useTradeLog(
    { address, chatId, filter },
    ({ entries }) => entries.length < reached + READ_AHEAD,
  );
  const counts = useRead(countTradeLog, { query: { chatId } }).data;
  const deployment = useQuery(deploymentQuery).data;
  const explorerUrl = explorerLink(deployment, network);
  const entries = log.data?.entries ?? [];
  // Counts are read on their own and may be a moment older than the entries
  const counted = filter === "all" ? undefined : counts?.[filter];
  const rowCount = log.data?.isWhole ? entries.length : Math.max(entries.length, counted ?? 0);
  const file = useMutation({
    mutationFn: () => fetchLogCsv(chatId, filter),
    onError: toastError,
    onSuccess: (content) => downloadFile(content, `trade-log-${chatId}.csv`),
  });
  const choice = (value: LogFilter, label: string, count?: number) => (
    <Button
      size="small"
      tone={filter === value ? "secondary" : "ghost"}
      aria-pressed={filter === value}
      onClick={() => {
        setFilter(value);
        setReached(0);
      }}
    >
      {label}
      {count !== undefined && count > 0 && <Badge tone="warn">{count}</Badge>}
    </Button>
  );
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2.5">
        <AssetHeader asset={asset} />
        <div role="group" aria-label="Filter" className="flex flex-wrap items-center gap-1">
          <ZoneNote className="mr-2 text-2xs text-faint" />
          {choice("trades", "Trades")}
          {choice("attention", "Attention", counts?.attention)}
          <IconButton
            size="small"
            label="Export as CSV"
            icon={<Download aria-hidden />}
            disabled={entries.length === 0 || file.isPending}
            onClick={() => file.mutate()}
          />
        </div>
      </header>
      {log.isError && log.data !== undefined && (
        <StaleNote readAt={log.dataUpdatedAt} className="px-4" />
      )}
      <div className="min-h-0 grow">
        <LogBody
          isLoading={log.isPending && chatId !== "" && address !== ""}
          isUnread={log.isError && log.data === undefined}
          isEmpty={entries.length === 0}
          filter={filter}
          onRetry={() => void log.refetch()}
        >
          <TradeLogTable
            chatId={chatId}
            key={filter}
            entries={entries}
            rowCount={rowCount}
            onReach={setReached}
            older={isLoadingOlder ? { retry: retryOlder } : null}
            explorerUrl={explorerUrl}
            onShowDecision={onShowDecision}
            showReason={filter === "attention"}
          />
        </LogBody>
      </div>
    </div>
  );
}

interface LogBodyProps {
  readonly isLoading: boolean;
  readonly isUnread: boolean;
  readonly isEmpty: boolean;
  readonly filter: LogFilter;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

function LogBody({ isLoading, isUnread, isEmpty, filter, onRetry, children }: LogBodyProps) {
  if (isLoading) {
    return (
      <p role="status" className="p-6 text-center text-sm text-muted">
        Loading trades...
      </p>
    );
  }
  if (isUnread) {
    return (
      <NothingLoaded title="The trade log could not be loaded" onRetry={onRetry}>
        Nothing is lost: the log is kept on the server.
      </NothingLoaded>
    );
  }
  if (!isEmpty) return <>{children}</>;
  return filter === "attention" ? (
    <EmptyState icon={<ScrollText />} title="Nothing needs your attention">
      Failed, denied and undecided orders appear here with the reason.
    </EmptyState>
  ) : (
    <EmptyState icon={<ScrollText />} title="No trades yet">
      Every order this chat's agent makes appears here the moment it is filled.
    </EmptyState>
  );
}
