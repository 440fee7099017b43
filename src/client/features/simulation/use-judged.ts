import { useMemo, useState } from "react";
import { type GridCell, triesOf } from "../../../strategy/grid-cell.ts";
import { reportAfter } from "../../../strategy/report.ts";
import type { AgentReport } from "../../workers/simulate-agent.ts";

/** Returns a run's report, judged again by all parameters the user has tried since. */
export function useJudged({ report }: AgentReport) {
  const [tried, setTried] = useState<readonly GridCell[]>([]);
  const judged = useMemo(() => reportAfter(report, triesOf(tried)), [report, tried]);
  return {
    report: judged,
    addTried: (cells: readonly GridCell[]) => setTried([...tried, ...cells]),
  };
}
