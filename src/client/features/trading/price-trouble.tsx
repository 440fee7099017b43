import { CircleSlash2 } from "lucide-react";
import { findMarket } from "../../../venues/profiles.ts";
import type { Agent } from "../../../contract/agent.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { LivePrices } from "../../queries/deployment.ts";
import { Badge } from "../../ui/badge.tsx";
import { HealthParts } from "./health-card.tsx";
import { priceParts } from "./health-words.ts";

interface PriceTroubleProps {
  readonly prices: LivePrices;
  /** Agent whose market is told of; absent: every market. */
  readonly agent?: Pick<Agent, "venue" | "marketId"> | null | undefined;
}

/** Returns an agent's asset; undefined without an agent on a known market. */
export const assetOf = (agent: PriceTroubleProps["agent"]): string | undefined =>
  agent ? findMarket(agent.venue, agent.marketId)?.asset : undefined;

/** Line that tells since when there are no prices, and what is wrong with which source. */
export function PriceTrouble({ prices, agent }: PriceTroubleProps) {
  const parts = priceParts(prices, assetOf(agent), useTimes());
  if (parts.length === 0) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone="warn">
        <CircleSlash2 aria-hidden />
        {parts.some(({ tone }) => tone === "fault") ? "No prices" : "Price source trouble"}
      </Badge>
      <HealthParts parts={parts} />
    </div>
  );
}
