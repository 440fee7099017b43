import { getAgentHealth } from "../../../contract/agent-health.ts";
import { useRead } from "../../queries/read.ts";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import { findMarket } from "../../../venues/profiles.ts";
import type { Agent } from "../../../contract/agent.ts";
import { deploymentQuery, livePrices, troubledNodes } from "../../queries/deployment.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { describeProblem } from "../../lib/problem.ts";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StaleNote } from "../../ui/not-loaded.tsx";
import { type HealthPart, healthParts, priceParts } from "./health-words.ts";

const TONES = { fault: "font-medium text-warn", unknown: "text-muted italic", well: "text-muted" };

/** Parts of a health in one line, a fault marked also for who cannot see its colour. */
export const HealthParts = ({ parts }: { readonly parts: readonly HealthPart[] }) => (
  <ul className="text-xs">
    {parts.map(({ tone, text }) => (
      <li
        key={text}
        className={clsx(
          "inline after:px-1.5 after:text-muted after:content-['·'/''] last:after:content-none",
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
);

interface HealthCardProps {
  readonly agent: Pick<Agent, "id" | "network" | "venue" | "marketId">;
}

/** Shows the health of an agent and of what it depends on in one line, faults first. */
export function HealthCard({ agent }: HealthCardProps) {
  const { data, isError, error, dataUpdatedAt } = useRead(getAgentHealth, {
    params: { agentId: agent.id },
  });
  const deployment = useQuery(deploymentQuery).data;
  const nodes = troubledNodes(deployment, agent.network);
  const prices = livePrices(deployment, agent.network, agent.venue);
  const asset = findMarket(agent.venue, agent.marketId)?.asset;
  const times = useTimes();
  const priced = prices === undefined ? [] : priceParts(prices, asset, times, agent.network);
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
        <HealthParts parts={healthParts(data, nodes, times, priced)} />
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
