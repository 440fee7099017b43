import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type GridCell, triesOf } from "../../../strategy/grid-cell.ts";
import { runSimulation } from "../../workers/run-simulation.ts";
import type { AgentReport } from "../../workers/simulate-agent.ts";

/** Returns a run's report, judged again by all parameters the user has tried since. */
export function useJudged({ request, report }: AgentReport) {
  const [tried, setTried] = useState<readonly GridCell[]>([]);
  // Runs in the worker: a thousand resamplings would block the main thread
  const judged = useQuery({
    queryKey: ["judged", report.inputHash, tried.length],
    queryFn: ({ signal }) => runSimulation({ ...request, tries: triesOf(tried) }, signal),
    enabled: tried.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });
  return {
    report: judged.data ?? report,
    addTried: (cells: readonly GridCell[]) => setTried([...tried, ...cells]),
  };
}
