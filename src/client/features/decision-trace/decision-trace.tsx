import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Network as NetworkIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { type DecisionQuery, decisionsQuery, decisionSumsQuery } from "../../queries/decisions.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { explorerLink } from "../../queries/explorer.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ZoneNote } from "../../ui/time-text.tsx";
import { DecisionFilters } from "./decision-filters.tsx";
import { DecisionRows } from "./decision-rows.tsx";
import { DecisionSums } from "./decision-sums.tsx";
import { DecisionView } from "./decision-view.tsx";
import type { SignedInWallet } from "../../lib/session.ts";
import { StaleNote } from "../../ui/stale-note.tsx";

interface DecisionTraceProps {
  readonly address: SignedInWallet;
  readonly agentId: AgentId;
  readonly network: Network;
  /** Trade log entry whose decision is selected first; null selects the newest. */
  readonly entryId: string | null;
}

/** Decisions of an agent, each as a graph, and their totals. */
export function DecisionTrace({ address, agentId, network, entryId }: DecisionTraceProps) {
  const [view, setView] = useState<"graphs" | "sums">("graphs");
  const [filter, setFilter] = useState<DecisionQuery>(entryId === null ? {} : { entryId });
  const sums = useQuery(decisionSumsQuery(address, agentId));
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
          address={address}
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

function Decisions({ address, agentId, network, filter, onShowAll }: DecisionsProps) {
  const pages = useInfiniteQuery(decisionsQuery(address, agentId, filter));
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
