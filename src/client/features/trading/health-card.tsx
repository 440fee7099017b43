import { getAgentHealth } from "../../../contract/agent-health.ts";
import { useRead } from "../../queries/read.ts";
import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import type { AgentId } from "../../../domain/ids.ts";
import { describeProblem } from "../../lib/problem.ts";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StaleNote } from "../../ui/stale-note.tsx";
import { healthParts } from "./health-words.ts";

const TONES = { fault: "font-medium text-warn", unknown: "text-muted italic", well: "text-muted" };

interface HealthLineProps {
  readonly agentId: AgentId;
}

/** Shows an agent's health in one line, faults first. */
export function HealthLine({ agentId }: HealthLineProps) {
  const { data, isError, error, dataUpdatedAt } = useRead(getAgentHealth, { params: { agentId } });
  return (
    <Card
      aria-labelledby="agent-health"
      className="mx-auto flex w-full max-w-[640px] flex-col gap-1.5"
    >
      <h3 id="agent-health" className="text-sm font-semibold">
        Health
      </h3>
      {data !== undefined && isError && <StaleNote readAt={dataUpdatedAt} />}
      {data !== undefined ? (
        <ul className="flex flex-wrap gap-y-0.5 text-xs">
          {healthParts(data).map(({ tone, text }) => (
            <li
              key={text}
              className={clsx(
                "after:px-1.5 after:text-muted after:content-['·'/''] last:after:content-none",
                TONES[tone],
              )}
            >
              {tone === "fault" && (
                <TriangleAlert aria-label="Wrong:" className="mr-1 inline size-3 align-[-1px]" />
              )}
              {text}
            </li>
          ))}
        </ul>
      ) : isError ? (
        <p role="alert" className="text-xs">
          Health could not be read. {describeProblem(error).message}
        </p>
      ) : (
        <Skeleton className="h-8" />
      )}
    </Card>
  );
}
