import { NothingLoaded, StaleNote } from "../../../ui/not-loaded.tsx";
import {
  type Decision,
  type DecisionQuery,
  listDecisions,
  sumDecisions,
  type DecisionSums as Sums,
} from "../../../../contract/decisions.ts";
import { readPages, useRead } from "../../../queries/read.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  Network as NetworkIcon,
  Bell,
  type LucideIcon,
  MoveDownRight,
  MoveUpRight,
  RotateCcw,
  X,
} from "lucide-react";
import { type ReactNode, useState, type KeyboardEvent, useRef } from "react";
import type { AgentId } from "../../../../domain/ids.ts";
import type { Network } from "../../../../domain/network.ts";
import { deploymentQuery, explorerLink } from "../../../queries/deployment.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ZoneNote, TimeText } from "../../../ui/time-text.tsx";
import { DecisionSums } from "./decision-sums.tsx";
import { DecisionView } from "./decision-view.tsx";
import { useOwner } from "../../../lib/session.ts";
import { clsx } from "clsx";
import { Badge } from "../../../ui/badge.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { decisionTitle, outcomeSentence, outcomeWords, countersText } from "./decision-words.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { Select } from "../../../ui/select.tsx";

interface DecisionTraceProps {
  readonly agentId: AgentId;
  readonly network: Network;
  /** Trade log entry whose decision is selected first; null selects the newest. */
  readonly entryId: string | null;
}

/** Decisions of an agent, each as a graph, and their totals. */
export function DecisionTrace({ agentId, network, entryId }: DecisionTraceProps) {
  const [view, setView] = useState<"graphs" | "sums">("graphs");
  const [filter, setFilter] = useState<DecisionQuery>(entryId === null ? {} : { entryId });
  const sums = useRead(sumDecisions, { params: { agentId } });
  const choice = (value: typeof view, label: string) => (
    <Button
      size="small"
      tone={view === value ? "secondary" : "ghost"}
      aria-pressed={view === value}
      onClick={() => setView(value)}
    >
      {label}
    </Button>
  );
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2">
        <div role="group" aria-label="View" className="flex items-center gap-1">
          {choice("graphs", "Decisions")}
          {choice("sums", "By rule and alert")}
        </div>
        {view === "graphs" && (
          <DecisionFilters filter={filter} sums={sums.data} onChange={setFilter} />
        )}
      </header>
      {view === "graphs" ? (
        <Decisions
          agentId={agentId}
          network={network}
          filter={filter}
          onShowAll={() => setFilter({})}
        />
      ) : (
        <div className="min-h-0 grow overflow-y-auto">
          <Read query={sums} what="sums">
            {(data) =>
              data.rules.length + data.alerts.length === 0 ? (
                <EmptyState icon={<NetworkIcon />} title="Nothing to add up yet">
                  Give the agent alerts and rules; what comes of them is added up here.
                </EmptyState>
              ) : (
                <DecisionSums
                  sums={data}
                  onShow={(next) => {
                    setFilter(next);
                    setView("graphs");
                  }}
                />
              )
            }
          </Read>
        </div>
      )}
    </div>
  );
}

interface DecisionsProps extends Omit<DecisionTraceProps, "entryId"> {
  readonly filter: DecisionQuery;
  readonly onShowAll: () => void;
}

function Decisions({ agentId, network, filter, onShowAll }: DecisionsProps) {
  const address = useOwner();
  const pages = useInfiniteQuery(
    readPages(
      address,
      listDecisions,
      { params: { agentId }, query: filter },
      "cursor",
      ({ next }) => next,
    ),
  );
  const explorerUrl = explorerLink(useQuery(deploymentQuery).data, network);
  const [asked, setAsked] = useState("");
  return (
    <Read query={pages} what="decisions">
      {(data) => {
        const decisions = data.pages.flatMap((page) => page.decisions);
        const chosen = decisions.find(({ id }) => id === asked) ?? decisions[0];
        if (chosen === undefined) return <NoDecisions filter={filter} onShowAll={onShowAll} />;
        return (
          <>
            {pages.isError && <StaleNote readAt={pages.dataUpdatedAt} className="px-4" />}
            <div className="max-h-[34%] shrink-0 overflow-y-auto border-b py-1">
              <DecisionRows decisions={decisions} chosen={chosen.id} onChoose={setAsked} />
              <div className="flex items-center gap-3 px-3 py-1">
                {pages.hasNextPage && (
                  <Button
                    size="small"
                    busy={pages.isFetchingNextPage}
                    onClick={() => void pages.fetchNextPage()}
                  >
                    Show older
                  </Button>
                )}
                {filter.entryId !== undefined && (
                  <Button size="small" onClick={onShowAll}>
                    Show all decisions
                  </Button>
                )}
                <ZoneNote className="ml-auto text-2xs text-faint" />
              </div>
            </div>
            <DecisionView key={chosen.id} decision={chosen} explorerUrl={explorerUrl} />
          </>
        );
      }}
    </Read>
  );
}

function NoDecisions({ filter, onShowAll }: Pick<DecisionsProps, "filter" | "onShowAll">) {
  if (Object.keys(filter).length > 0) {
    return (
      <EmptyState
        icon={<NetworkIcon />}
        title="Nothing matches"
        action={<Button onClick={onShowAll}>Show all decisions</Button>}
      >
        No decision of this kind was recorded.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<NetworkIcon />} title="No decisions yet">
      Every alert, and what the agent made of it, appears here as it happens.
    </EmptyState>
  );
}

interface ReadProps<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly isError: boolean;
    readonly refetch: () => unknown;
  };
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}

/** Renders loaded data, a loading state or the failure. */
function Read<T>({ query, what, children }: ReadProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) {
    return (
      <NothingLoaded title={`The ${what} could not be loaded`} onRetry={query.refetch}>
        Nothing is lost: they are kept on the server.
      </NothingLoaded>
    );
  }
  return (
    <p role="status" className="p-6 text-center text-sm text-muted">
      Loading {what}...
    </p>
  );
}

interface DecisionRowsProps {
  readonly decisions: readonly Decision[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** List of decisions, newest first; arrow keys move between them. */
function DecisionRows({ decisions, chosen, onChoose }: DecisionRowsProps) {
  const listRef = useRef<HTMLUListElement>(null);
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const at = decisions.findIndex(({ id }) => id === chosen) + step;
    const next = decisions[at];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    listRef.current?.querySelectorAll("button")[at]?.focus();
  };
  return (
    <ul ref={listRef} aria-label="Decisions, newest first">
      {decisions.map((decision) => (
        <li key={decision.id}>
          <DecisionRow
            decision={decision}
            isChosen={decision.id === chosen}
            onChoose={() => onChoose(decision.id)}
            onKeyDown={walk}
          />
        </li>
      ))}
    </ul>
  );
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  OPEN_LONG: MoveUpRight,
  OPEN_SHORT: MoveDownRight,
  CLOSE_LONG: X,
  CLOSE_SHORT: X,
};

interface DecisionRowProps {
  readonly decision: Decision;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function DecisionRow({ decision, isChosen, onChoose, onKeyDown }: DecisionRowProps) {
  const { text, tone } = outcomeWords(decision);
  const { pnl } = decision.outcome;
  const Icon = ICONS[decision.signal ?? ""] ?? (decision.kind === "alert" ? Bell : RotateCcw);
  return (
    <button
      type="button"
      aria-current={isChosen}
      tabIndex={isChosen ? 0 : -1}
      onClick={onChoose}
      onKeyDown={onKeyDown}
      className={clsx(
        "tint flex min-h-9 w-full items-center gap-2.5 border-l-2 px-3 py-1 text-left text-sm -outline-offset-2",
        isChosen ? "border-accent bg-accent-soft" : "border-transparent hover:bg-hover",
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      <TimeText at={decision.at} as="short" className="w-24 shrink-0 text-xs text-muted" />
      <span className="min-w-0 shrink-0 truncate font-medium max-sm:max-w-28 sm:w-36">
        {decisionTitle(decision)}
      </span>
      <Badge tone={tone}>{text}</Badge>
      <span className="min-w-0 grow truncate text-right text-xs text-muted max-sm:hidden">
        {pnl === undefined ? outcomeSentence(decision) : <Figure value={pnl} prefix="$" toned />}
      </span>
    </button>
  );
}

interface DecisionFiltersProps {
  readonly filter: DecisionQuery;
  readonly sums: Sums | undefined;
  readonly onChange: (filter: DecisionQuery) => void;
}

const OUTCOMES = [
  [undefined, "All"],
  ["traded", "Traded"],
  ["denied", "Denied"],
  ["untraded", "No order"],
] as const;

/** Filters for decisions by outcome, alert and rule. */
function DecisionFilters({ filter, sums, onChange }: DecisionFiltersProps) {
  const { outcome, ruleId, alertId } = filter;
  const rules = (sums?.rules ?? []).map((rule) => ({
    value: `rule ${rule.ruleId}`,
    label: signalText(rule.action),
    note: countersText(rule.counters),
  }));
  const alerts = (sums?.alerts ?? []).map((alert) => ({
    value: `alert ${alert.alertId}`,
    label: alert.alertName ?? "Deleted alert",
  }));
  const chosen =
    ruleId === undefined ? (alertId === undefined ? "all" : `alert ${alertId}`) : `rule ${ruleId}`;
  const narrow = (value: string) => {
    const [of, id] = value.split(" ", 2);
    const kept = outcome === undefined ? {} : { outcome };
    if (id === undefined) onChange(kept);
    else onChange(of === "rule" ? { ...kept, ruleId: id } : { ...kept, alertId: id });
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label="Show" className="flex items-center gap-1">
        {OUTCOMES.map(([value, label]) => {
          const isChosen = outcome === value;
          const { outcome: _, entryId: __, ...rest } = filter;
          return (
            <Button
              key={label}
              size="small"
              tone={isChosen ? "secondary" : "ghost"}
              aria-pressed={isChosen}
              onClick={() => onChange(value === undefined ? rest : { ...rest, outcome: value })}
            >
              {label}
            </Button>
          );
        })}
      </div>
      <div className="w-48">
        <Select
          aria-label="Rule or alert"
          value={chosen}
          onValueChange={narrow}
          groups={[
            { options: [{ value: "all", label: "Any rule or alert" }] },
            ...(rules.length > 0 ? [{ label: "Rules", options: rules }] : []),
            ...(alerts.length > 0 ? [{ label: "Alerts", options: alerts }] : []),
          ]}
        />
      </div>
    </div>
  );
}
