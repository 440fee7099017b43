import { NothingLoaded, StaleNote } from "../../../ui/not-loaded.tsx";
import { getPerformance } from "../../../../contract/performance.ts";
import { useRead } from "../../../queries/read.ts";
import { ChartSpline } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import { RANGES, type Range } from "../../../../domain/performance/range.ts";
import { describeProblem } from "../../../lib/problem.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { NetworkBadge } from "../../../ui/badge.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { PerformanceReport } from "./performance-report.tsx";

const LABELS: Readonly<Record<Range, string>> = {
  "7d": "7 d",
  "30d": "30 d",
  "90d": "90 d",
  "1y": "1 y",
  all: "All",
};

interface PerformanceViewProps {
  readonly agent: Agent;
  /** Export action; absent when not available. */
  readonly actions?: ReactNode;
  /** Content after the report. */
  readonly children?: ReactNode;
}

/** Performance of one agent, computed from its ledger. */
export function PerformanceView({ agent, actions, children }: PerformanceViewProps) {
  const [range, setRange] = useState<Range>("30d");
  const read = useRead(
    getPerformance,
    { params: { agentId: agent.id }, query: { range } },
    { keepsPrevious: true },
  );
  return (
    <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-4 p-4 max-sm:p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto flex min-w-0 items-center gap-2 text-base font-semibold">
          Performance
          <NetworkBadge network={agent.network} />
        </h2>
        {actions}
        <Segments
          label="Span"
          value={range}
          options={RANGES.map((value) => ({ value, label: LABELS[value] }))}
          onChange={setRange}
        />
      </header>
      {read.isError && read.data !== undefined && <StaleNote readAt={read.dataUpdatedAt} />}
      <UnbookedLine count={read.data?.unbooked ?? 0} />
      {read.data === undefined ? (
        read.isError ? (
          <NothingLoaded title="Performance could not be loaded" onRetry={read.refetch}>
            {describeProblem(read.error).message}
          </NothingLoaded>
        ) : (
          <Loading />
        )
      ) : read.data.curve.length === 0 ? (
        <EmptyState icon={<ChartSpline />} title="Nothing booked yet">
          The book of this agent begins once its first deposit is final on the chain. Then its
          returns, costs and trades are shown here.
        </EmptyState>
      ) : (
        <PerformanceReport shown={read.data} agent={agent} isOld={read.isPlaceholderData} />
      )}
      {children}
    </div>
  );
}

function Loading() {
  return (
    <>
      <Skeleton className="h-[74px]" />
      <Skeleton className="h-72" />
      <Skeleton className="h-64" />
    </>
  );
}

interface UnbookedLineProps {
  /** Number of on-chain transactions that are not final. */
  readonly count: number;
}

/** Note about transactions that the curve does not have yet; empty when complete. */
export function UnbookedLine({ count }: UnbookedLineProps) {
  return (
    <p role="status" className="text-xs text-muted empty:hidden">
      {count > 0 &&
        `${count === 1 ? "1 transaction is" : `${count} transactions are`} not final yet: in the money and the trades, in curve and returns once final.`}
    </p>
  );
}
