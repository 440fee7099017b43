import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { AgentReport } from "../../../workers/simulate-agent.ts";

interface RunStateProps {
  readonly run: UseQueryResult<AgentReport>;
  /** Renders a run that has something to show. */
  readonly children: (done: AgentReport) => ReactNode;
}

/** Shows a run's result, or why there is none. */
export function RunState({ run, children }: RunStateProps) {
  if (run.isError) {
    return (
      <EmptyState
        title="The simulation could not be run"
        action={<Button onClick={() => void run.refetch()}>Retry</Button>}
      >
        {run.error.message}
      </EmptyState>
    );
  }
  if (run.data === undefined) return <Waiting label="Loading the history and trading it..." />;
  const { result } = run.data.report;
  if (result.times.length === 0) {
    return (
      <EmptyState title="Too little history">
        The source has no bars beyond the {result.warmUpBars} that warm the indicators up. Choose a
        longer history.
      </EmptyState>
    );
  }
  return children(run.data);
}

export function Waiting({ label }: { readonly label: string }) {
  return (
    <div className="flex h-full items-center justify-center text-sm text-muted">
      <Spinner label={label} />
    </div>
  );
}
