import {
  type Decision,
  type DecisionQuery,
  type DecisionSums as Sums,
  listDecisions,
  sumDecisions,
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
import { deploymentQuery } from "../../../queries/deployment.ts";
import { explorerLink } from "../../../queries/explorer.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ZoneNote, TimeText } from "../../../ui/time-text.tsx";
import { DecisionFilters } from "./decision-filters.tsx";
import { DecisionView } from "./decision-view.tsx";
import { useOwner } from "../../../lib/session.ts";
import { StaleNote } from "../../../ui/stale-note.tsx";
import { clsx } from "clsx";
import { Badge } from "../../../ui/badge.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { decisionTitle, outcomeSentence, outcomeWords, countersText } from "./decision-words.ts";
import { reasonWhat } from "../../../../domain/reasons.ts";
import { signalText } from "../../../lib/signal-text.ts";

type Sum = Pick<
  Sums["rules"][number],
  "fired" | "traded" | "denied" | "reasons" | "profit" | "wins" | "closed"
>;

interface DecisionSumsProps {
  readonly sums: Sums;
  /** Called to show the decisions of a row. */
  readonly onShow: (filter: DecisionQuery) => void;
}

/** Totals per rule and per alert: firings, trades, denials with reasons, and profit or loss. */
function DecisionSums({ sums, onShow }: DecisionSumsProps) {
  return (
    <div className="flex flex-col gap-6 p-4">
      <SumTable
        title="Rules"
        note="A profit counts for the rule that opened a position and for the one that closed it."
      >
        {sums.rules.map((rule) => (
          <SumRow
            key={rule.ruleId}
            name={signalText(rule.action)}
            detail={rule.counters.length === 0 ? "Deleted rule" : countersText(rule.counters)}
            sum={rule}
            onShow={() => onShow({ ruleId: rule.ruleId })}
          />
        ))}
      </SumTable>
      <SumTable title="Alerts" note="A trade counts for every alert that completed its rule.">
        {sums.alerts.map((alert) => (
          <SumRow
            key={alert.alertId}
            name={alert.alertName ?? "Deleted alert"}
            detail=""
            sum={alert}
            onShow={() => onShow({ alertId: alert.alertId })}
          />
        ))}
      </SumTable>
    </div>
  );
}

interface SumTableProps {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}

function SumTable({ title, note, children }: SumTableProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      <div className="overflow-x-auto rounded-lg border">
        <table className="w-full min-w-140 text-sm">
          <thead className="border-b bg-raised text-left text-2xs text-faint">
            <tr>
              <th scope="col" className="px-3 py-1.5 font-medium">
                {title === "Rules" ? "Rule" : "Alert"}
              </th>
              {["Fired", "Traded", "Denied"].map((name) => (
                <th key={name} scope="col" className="px-2 py-1.5 text-right font-medium">
                  {name}
                </th>
              ))}
              <th scope="col" className="px-3 py-1.5 font-medium">
                Why not
              </th>
              <th scope="col" className="px-3 py-1.5 text-right font-medium">
                Profit
              </th>
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      <p className="text-xs text-muted">{note}</p>
    </section>
  );
}

interface SumRowProps {
  readonly name: string;
  readonly detail: string;
  readonly sum: Sum;
  readonly onShow: () => void;
}

function SumRow({ name, detail, sum, onShow }: SumRowProps) {
  const [most, ...others] = sum.reasons;
  const more = others.reduce((total, { count }) => total + count, 0);
  return (
    <tr className="border-b align-top last:border-b-0">
      <th scope="row" className="max-w-56 px-3 py-2 text-left font-normal">
        <Button
          size="small"
          tone="ghost"
          className="-ml-2.5 max-w-full"
          title={`Show the decisions of ${name}`}
          onClick={onShow}
        >
          <span className="min-w-0 truncate">{name}</span>
        </Button>
        {detail !== "" && <span className="block truncate text-xs text-muted">{detail}</span>}
        <FunnelBar {...sum} />
      </th>
      <Count value={sum.fired} />
      <Count value={sum.traded} className="text-up" />
      <Count value={sum.denied} className="text-down" />
      <td className="max-w-60 px-3 py-2.5 text-xs text-muted">
        {most === undefined ? "–" : `${most.count} × ${reasonWhat(most.reason)}`}
        {more > 0 && ` And ${more} more.`}
      </td>
      <td className="px-3 py-2.5 text-right">
        <Figure value={sum.profit} prefix="$" toned />
        {sum.closed > 0 && (
          <span className="block text-2xs text-faint">
            {sum.wins} of {sum.closed} won
          </span>
        )}
      </td>
    </tr>
  );
}

function Count({ value, className }: { readonly value: number; readonly className?: string }) {
  return (
    <td
      className={clsx(
        "px-2 py-2.5 text-right tabular-nums",
        value === 0 ? "text-faint" : className,
      )}
    >
      {value}
    </td>
  );
}

/** Bar of the shares of firings that were traded, denied or led to no order. */
function FunnelBar({ fired, traded, denied }: Sum) {
  const whole = Math.max(fired, traded + denied);
  if (whole === 0) return null;
  return (
    <span aria-hidden className="mt-1 flex h-1 overflow-hidden rounded-full bg-line">
      <span className="bg-up" style={{ width: `${(100 * traded) / whole}%` }} />
      <span className="bg-down" style={{ width: `${(100 * denied) / whole}%` }} />
    </span>
  );
}

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
      <EmptyState
        title={`The ${what} could not be loaded`}
        action={<Button onClick={() => void query.refetch()}>Try again</Button>}
      >
        Nothing is lost: they are kept on the server.
      </EmptyState>
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
