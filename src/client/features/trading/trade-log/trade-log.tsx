import { NothingLoaded, StaleNote } from "../../../ui/not-loaded.tsx";
import { countTradeLog, type TradeLogEntry } from "../../../../contract/trade-log.ts";
import { useRead } from "../../../queries/read.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, ScrollText } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { AgentId, ChatId } from "../../../../domain/ids.ts";
import type { Network } from "../../../../domain/network.ts";
import { deploymentQuery, explorerLink } from "../../../queries/deployment.ts";
import {
  fetchLogCsv,
  type LoadedLog,
  type LogFilter,
  useTradeLog,
} from "../../../queries/trade-log.ts";
import { downloadFile } from "../../../lib/download.ts";
import { toastError } from "../../../lib/toast.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ZoneNote } from "../../../ui/time-text.tsx";
import { TradeLogTable } from "./trade-log-table.tsx";
import {
  arrangeLog,
  AS_RECORDED,
  needsAll,
  ANY,
  LOG_COLUMNS,
  type LogArrangement,
  type LogColumn,
  NO_RULE,
  sumLog,
} from "./arranged-log.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { useIsSignedOut, useOwner, useSessionStatus } from "../../../lib/session.ts";
import { assetName } from "../../../../venues/profiles.ts";
import { listRules, type Rule } from "../../../../contract/rules.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { Figure } from "../../../ui/figure.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";

interface TradeLogProps {
  readonly chatId: ChatId | "";
  readonly network: Network;
  /** The chat's agent, whose rules the log is filtered by; empty without one. */
  readonly agentId: AgentId | "";
  /** Asset of the chat's agent; absent without an agent. */
  readonly asset: string | undefined;
  /** Opens the decision graph of an entry. */
  readonly onShowDecision: (entryId: string) => void;
}

const NO_ENTRIES: LoadedLog["entries"] = [];

/** Number of entries loaded beyond the last visible one, so that scrolling seldom waits. */
const READ_AHEAD = 100;

/** Trade log of one chat: filled and pending orders; entries that need attention are behind a filter. */
export function TradeLog(props: TradeLogProps) {
  const { chatId, network, agentId, asset, onShowDecision } = props;
  const address = useOwner();
  const isSignedOut = useIsSignedOut();
  const isRestoring = useSessionStatus() === "restoring";
  const [filter, setFilter] = useState<LogFilter>("trades");
  const [reached, setReached] = useState(0);
  const [arranged, setArranged] = useState(AS_RECORDED);
  const isArranged = needsAll(arranged);
  const { log, isLoadingOlder, retryOlder } = useTradeLog(
    { address, chatId, filter },
    ({ entries: loaded }) => isArranged || loaded.length < reached + READ_AHEAD,
  );
  const counts = useRead(countTradeLog, { query: { chatId } }).data;
  const deployment = useQuery(deploymentQuery).data;
  const explorerUrl = explorerLink(deployment, network);
  const loaded = log.data?.entries ?? NO_ENTRIES;
  const times = useTimes();
  const entries = useMemo(
    () => arrangeLog(loaded, arranged, times.date),
    [loaded, arranged, times],
  );
  // Counts are read on their own and may be a moment older than the entries
  const counted = (filter === "all" ? undefined : counts?.[filter]) ?? 0;
  const isWhole = log.data?.isWhole === true;
  const rowCount = isWhole || isArranged ? entries.length : Math.max(entries.length, counted);
  const choose = (value: LogFilter) => {
    setFilter(value);
    setReached(0);
    setArranged(AS_RECORDED);
  };
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <LogHeader
        chatId={chatId}
        asset={asset}
        filter={filter}
        onFilter={choose}
        attention={counts?.attention}
        isEmpty={loaded.length === 0}
      />
      {loaded.length > 0 && (
        <LogTools
          agentId={agentId}
          entries={loaded}
          arranged={arranged}
          onArrange={(change) => setArranged({ ...arranged, ...change })}
        />
      )}
      {log.isError && log.data !== undefined && (
        <StaleNote readAt={log.dataUpdatedAt} className="px-4" />
      )}
      <div className="min-h-0 grow">
        <LogBody
          isSignedOut={isSignedOut}
          isLoading={isRestoring || (log.isPending && chatId !== "")}
          isUnread={log.isError && log.data === undefined}
          isEmpty={loaded.length === 0}
          isNoneLeft={entries.length === 0}
          filter={filter}
          onRetry={() => void log.refetch()}
        >
          <TradeLogTable
            chatId={chatId}
            key={filter}
            arranged={arranged}
            entries={entries}
            rowCount={rowCount}
            onReach={setReached}
            older={isLoadingOlder ? { retry: retryOlder } : null}
            onOrder={(order) => setArranged({ ...arranged, order })}
            explorerUrl={explorerUrl}
            onShowDecision={onShowDecision}
            showReason={filter === "attention"}
          />
        </LogBody>
      </div>
      {loaded.length > 0 && filter === "trades" && (
        <LogFoot
          entries={entries}
          isPart={!isWhole}
          loadedCount={loaded.length}
          wholeCount={counted}
        />
      )}
    </div>
  );
}

interface LogHeaderProps extends Pick<TradeLogProps, "chatId" | "asset"> {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
  /** Number of entries that need attention; undefined until it is known. */
  readonly attention: number | undefined;
  readonly isEmpty: boolean;
}

/** Header of the log: its asset, which entries are shown, and the export. */
function LogHeader({ chatId, asset, filter, onFilter, attention, isEmpty }: LogHeaderProps) {
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
      onClick={() => onFilter(value)}
    >
      {label}
      {count !== undefined && count > 0 && <Badge tone="warn">{count}</Badge>}
    </Button>
  );
  return (
    <header className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2.5">
      <AssetHeader asset={asset} />
      <div role="group" aria-label="Filter" className="flex flex-wrap items-center gap-1">
        <ZoneNote className="mr-2 text-2xs text-faint" />
        {choice("trades", "Trades")}
        {choice("attention", "Attention", attention)}
        <IconButton
          size="small"
          label="Export as CSV"
          icon={<Download aria-hidden />}
          disabled={isEmpty || file.isPending}
          onClick={() => file.mutate()}
        />
      </div>
    </header>
  );
}

interface LogBodyProps {
  readonly isSignedOut: boolean;
  readonly isLoading: boolean;
  readonly isUnread: boolean;
  readonly isEmpty: boolean;
  /** True when no entry passes the filters. */
  readonly isNoneLeft: boolean;
  readonly filter: LogFilter;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

function LogBody(props: LogBodyProps) {
  const { isSignedOut, isLoading, isUnread, isEmpty, isNoneLeft, filter, onRetry, children } =
    props;
  if (isSignedOut) {
    return <EmptyState icon={<ScrollText />} title="Sign in to see what an agent traded" />;
  }
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
  if (!isEmpty && isNoneLeft) {
    return (
      <EmptyState icon={<ScrollText />} title="No entry passes the filters">
        Choose another side, rule or day above.
      </EmptyState>
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

/** Header with the agent's asset; without an agent the default asset. */
export function AssetHeader({ asset = "SOL" }: { readonly asset?: string | undefined }) {
  const name = assetName(asset);
  return (
    <div className="flex items-center gap-2">
      <span
        aria-hidden
        className="inline-flex size-7 items-center justify-center rounded-full bg-accent-soft text-2xs font-semibold text-accent-text"
      >
        {name.charAt(0)}
      </span>
      <h2 className="text-base font-semibold">
        {name}
        {name !== asset && <span className="font-normal text-muted"> {asset}</span>}
      </h2>
    </div>
  );
}

interface LogToolsProps {
  readonly agentId: AgentId | "";
  /** Loaded entries, before filters. */
  readonly entries: readonly TradeLogEntry[];
  readonly arranged: LogArrangement;
  readonly onArrange: (change: Partial<LogArrangement>) => void;
}

/** Returns a rule in words, for instance "Open long: trend up". */
const ruleText = ({ action, conditions }: Rule): string =>
  `${signalText(action)}: ${conditions.map(({ alertName }) => alertName).join(" + ")}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Filters of the log by side, rule and day, and its order. */
export function LogTools({ agentId, entries, arranged, onArrange }: LogToolsProps) {
  const rules = useRead(listRules, { params: { agentId } }).data;
  const { sides, ruleIds } = useMemo(
    () => ({
      sides: [...new Set(entries.map(({ side }) => side))].filter((side) => side !== ""),
      ruleIds: [...new Set(entries.map(({ ruleId }) => ruleId ?? NO_RULE))],
    }),
    [entries],
  );
  const { order, side, rule, day } = arranged;
  const known = new Map(rules?.map((each) => [each.id, ruleText(each)] as const));
  const ruleOptions = [...new Set([...known.keys(), ...ruleIds])].map((id) => ({
    value: id,
    label: id === NO_RULE ? "Not by a rule" : (known.get(id) ?? "A deleted rule"),
  }));
  return (
    <div
      role="group"
      aria-label="Filters and order"
      className="flex flex-wrap items-center gap-1.5 border-b px-4 py-1.5 max-sm:px-3"
    >
      <div className="w-32">
        <Select
          aria-label="Side"
          value={side}
          onValueChange={(value) => onArrange({ side: value })}
          options={[
            { value: ANY, label: "All sides" },
            ...sides.map((each) => ({ value: each, label: capital(each) })),
          ]}
        />
      </div>
      <div className="w-40">
        <Select
          aria-label="Rule"
          value={rule}
          onValueChange={(value) => onArrange({ rule: value })}
          options={[{ value: ANY, label: "All rules" }, ...ruleOptions]}
        />
      </div>
      <div className="w-36">
        <Input
          type="date"
          aria-label="Day"
          value={day}
          onChange={(event) => onArrange({ day: event.target.value })}
        />
      </div>
      <div className="w-44">
        <Select
          aria-label="Sort by"
          value={order.column}
          onValueChange={(column) =>
            onArrange({ order: { column: column as LogColumn, isAscending: false } })
          }
          options={LOG_COLUMNS.map((column) => ({ value: column, label: `Sort: ${column}` }))}
        />
      </div>
      {needsAll(arranged) && (
        <Button size="small" tone="ghost" onClick={() => onArrange(AS_RECORDED)}>
          Show all
        </Button>
      )}
    </div>
  );
}

interface LogFootProps {
  /** Entries shown, filtered. */
  readonly entries: readonly TradeLogEntry[];
  /** True while older entries are not loaded. */
  readonly isPart: boolean;
  readonly loadedCount: number;
  /** Entries of the whole log. */
  readonly wholeCount: number;
}

/** Sums of the shown trades; says so where they are of a part of the log. */
export function LogFoot({ entries, isPart, loadedCount, wholeCount }: LogFootProps) {
  const { total, fees, pnl, closings } = useMemo(() => sumLog(entries), [entries]);
  const count = entries.length;
  return (
    <div
      role="group"
      aria-label="Sums"
      className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-t bg-raised px-4 py-1.5 text-xs max-sm:px-3"
    >
      <span className="text-muted">
        {count} {count === 1 ? "trade" : "trades"}
        {isPart && `, of the newest ${loadedCount} of ${Math.max(wholeCount, loadedCount)}`}
        {count > 1 && ", sums of the exact figures"}
      </span>
      <dl className="flex flex-wrap gap-x-4">
        <Sum term="Volume" title="Sum of what was bought and sold">
          <Figure value={total} prefix="$" />
        </Sum>
        <Sum term="Fees">
          <Figure value={fees} prefix="$" />
        </Sum>
        <Sum
          term="P&L"
          title={`Of ${closings} closed ${closings === 1 ? "trade" : "trades"}, fees of both sides counted, funding not`}
        >
          {closings === 0 ? (
            <span className="text-faint">–</span>
          ) : (
            <Figure value={pnl} prefix="$" toned />
          )}
        </Sum>
      </dl>
    </div>
  );
}

interface SumProps {
  readonly term: string;
  readonly title?: string;
  readonly children: ReactNode;
}

const Sum = ({ term, title, children }: SumProps) => (
  <div className="flex items-baseline gap-1.5" title={title}>
    <dt className="text-faint">{term}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
);
