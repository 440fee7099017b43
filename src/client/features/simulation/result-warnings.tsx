import { Badge } from "../../ui/badge.tsx";
import type { AgentReport } from "../../workers/simulate-agent.ts";

/** Warnings about the prices a run was traded on. */
export function ResultWarnings({ source, contradictions }: AgentReport) {
  return (
    <>
      {source === "practice market" && (
        <p className="flex flex-wrap items-center gap-2 text-xs text-practice">
          <Badge tone="practice">Practice</Badge>
          The practice market is made up: what worked on it says nothing about a real one.
        </p>
      )}
      {contradictions > 0 && (
        <p className="text-xs text-warn">
          Two sources of prices contradict each other on {contradictions} bars; they were left out.
        </p>
      )}
    </>
  );
}
