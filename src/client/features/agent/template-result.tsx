import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CompleteDraft } from "../../../domain/agent-draft.ts";
import { isIntervalInRange, parseInterval } from "../../../domain/interval.ts";
import { DEFAULT_VENUE } from "../../../domain/venue-id.ts";
import type { Network } from "../../../domain/network.ts";
import type { StrategyTemplate } from "../../../strategy/templates.ts";
import { clock } from "../../lib/clock.ts";
import { type SignedInWallet, useOwner } from "../../lib/session.ts";
import { simulateAgent } from "../../workers/simulate-agent.ts";
import { simulatedAgent } from "../../../assistant/simulated-agent.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { howOften } from "./rules/preview-figures.ts";

const MINUTES_A_DAY = 1_440;
const DAY_MS = 86_400_000;

/** Minimum history in days, and minimum number of bars for long intervals. */
const LEAST_DAYS = 90;
const LEAST_BARS = 300;

interface TemplateResultProps {
  readonly template: StrategyTemplate;
  readonly network: Network;
  /** Agent fields of the form that determine the market. */
  readonly agent: CompleteDraft["agent"];
}

const percent = (share: number): string => {
  const text = `${Math.abs(share * 100).toFixed(1)}%`;
  return share < 0 ? `−${text}` : `+${text}`;
};

const resultQuery = (
  client: QueryClient,
  owner: SignedInWallet,
  { template, network, agent }: TemplateResultProps,
  nowMs: number,
) => {
  const { venue, marketId, interval = "", slippagePercent } = agent;
  const parsed = parseInterval(interval);
  const isUsable = parsed !== null && isIntervalInRange(parsed);
  const minutes = parsed?.minutes ?? 0;
  const days = Math.ceil(Math.max(LEAST_DAYS, (LEAST_BARS * minutes) / MINUTES_A_DAY));
  return queryOptions({
    queryKey: [owner, "template", template.id, network, venue, marketId, interval, slippagePercent],
    queryFn: async ({ signal }) => {
      const { alerts, rules, positionSizePercent } = template;
      const described = {
        venue: venue === "" ? DEFAULT_VENUE : venue,
        marketId,
        interval,
        positionSizePercent,
        slippagePercent: Number(slippagePercent),
      } as const;
      const simulated = simulatedAgent(described, alerts, rules);
      if (simulated === null || !isUsable) return null;
      return {
        days,
        ...(await simulateAgent(
          client,
          { network, agent: simulated, days, nowMs, triedBy: owner },
          signal,
        )),
      };
    },
    staleTime: Infinity,
  });
};

/** Simulated recent result of a template on the form's market, costs included, with an assessment. */
export default function TemplateResult(props: TemplateResultProps) {
  const client = useQueryClient();
  const [nowMs] = useState(() => clock.now());
  const { data, isError } = useQuery(resultQuery(client, useOwner(), props, nowMs));
  if (isError) return <p className="text-xs text-muted">It could not be tried out just now.</p>;
  if (data === undefined) return <Skeleton className="h-8" />;
  if (data === null) {
    return <p className="text-xs text-muted">Choose an asset and an interval to try it out.</p>;
  }
  const { measures, sentences } = data.report;
  const { closedTrades, totalReturn, holdingReturn, maxDrawdown } = measures;
  return (
    <div className="flex flex-col gap-1 text-xs text-muted">
      <p className="font-medium text-ink">
        {closedTrades === 0
          ? `Did not trade in ${data.days} days`
          : `Trades ${howOften(closedTrades, data.days * DAY_MS)}`}
      </p>
      <p>
        {data.days} days, {data.source}: {closedTrades} {closedTrades === 1 ? "trade" : "trades"},{" "}
        <span className="font-medium text-ink">{percent(totalReturn)}</span>, holding{" "}
        {percent(holdingReturn)}, deepest fall {(Math.abs(maxDrawdown) * 100).toFixed(1)}%
      </p>
      {sentences.length > 0 && (
        <details>
          <summary className="cursor-pointer hover:text-ink">{sentences[0]}</summary>
          <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-4">
            {sentences.slice(1).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
