import { useQuery, skipToken, useQueryClient } from "@tanstack/react-query";
import type { Agent } from "../../../../contract/agent.ts";
import type { Performance } from "../../../../contract/performance.ts";
import type { FiringRecord } from "../../../../strategy/simulation.ts";
import { useOwner } from "../../../lib/session.ts";
import { useDailyLimits } from "../../../queries/daily-limits.ts";
import { pastAlertsQuery } from "../../../queries/past-alerts.ts";
import { receivedFirings } from "../../../workers/received-firings.ts";
import { parseDecimal } from "../../../../domain/amount.ts";
import { barSpanAt } from "../../../../strategy/bar-times.ts";
import { useMemo } from "react";
import { simulatedAgent } from "../../../../assistant/simulated-agent.ts";
import { listAlerts } from "../../../../contract/alerts.ts";
import { listRules } from "../../../../contract/rules.ts";
import { useRead } from "../../../queries/read.ts";
import { simulateAgent } from "../../../workers/simulate-agent.ts";

/** What of a performance decides the span. */
type ShownSpan = Pick<Performance, "curve" | "to" | "quote">;

/** Simulates the saved agent over the shown span, starting with the account's value at its beginning. */
export function useSimulated(agent: Agent, shown: ShownSpan | undefined) {
  const address = useOwner();
  const { simulated, reads } = useSavedAgent(agent);
  // With an outside alert, the conditions alone would simulate a different agent
  const isByConditions =
    simulated !== null && simulated.alerts.every(({ condition }) => condition !== undefined);
  const past = useQuery({
    ...pastAlertsQuery(address, agent.id),
    enabled: simulated !== null && !isByConditions,
  });
  const daily = useDailyLimits(agent, simulated?.market);
  const span =
    simulated === null || shown === undefined
      ? null
      : comparedSpan(shown, simulated.intervalMinutes);
  const received = isByConditions ? null : past.data;
  const { network } = agent;
  const ready = simulated === null || daily.isReading ? null : simulated;
  const limited = ready && { ...ready, dailyLimits: daily.limits };
  const spanKey = span && { ...span, startMoney: `${span.startMoney}` };
  const run = useSimulation(
    ["simulated beside live", network, simulated, daily.key, spanKey, received?.length ?? null],
    limited === null || span === null || received === undefined
      ? null
      : () => {
          const firings: FiringRecord =
            received === null
              ? { kind: "conditions" }
              : { kind: "recorded", firings: receivedFirings(received) };
          return { network, agent: limited, ...span, firings };
        },
  );
  const isUnread = [...reads, past].some(({ isError }) => isError);
  return {
    run,
    isUnread,
    isTooShort: simulated !== null && shown !== undefined && span === null,
    /** The saved agent with its daily limits; null while it loads. */
    simulated: limited,
    isByConditions,
  };
}

const DAY_MS = 86_400_000;

/** Starting values of a simulation compared with the ledger, and the closed bars it covers. */
interface ComparedSpan {
  readonly fromMs: number;
  /** Close of the last bar. */
  readonly nowMs: number;
  readonly days: number;
  /** Account value at the start, quote base units. */
  readonly startMoney: bigint;
}

/** Returns the shown span in whole bars; null when no bar closed in it or the starting value is unknown or zero. */
export function comparedSpan(
  { curve, to, quote }: Pick<Performance, "curve" | "to" | "quote">,
  intervalMinutes: number,
): ComparedSpan | null {
  const first = curve[0];
  const startMoney = first?.value == null ? null : parseDecimal(first.value, quote.decimals);
  if (first === undefined || startMoney === null || startMoney <= 0n) return null;
  const fromMs = barSpanAt(intervalMinutes, first.time * 1_000).openTimeMs;
  const nowMs = barSpanAt(intervalMinutes, Date.parse(to)).openTimeMs;
  return nowMs <= fromMs ? null : { fromMs, nowMs, days: (nowMs - fromMs) / DAY_MS, startMoney };
}

type Plan = Parameters<typeof simulateAgent>[1];

/** Returns a saved agent in the simulation's form, null while it loads, and the reads that it needs. */
export function useSavedAgent(agent: Agent | null) {
  const params = { agentId: agent?.id ?? ("" as const) };
  const alerts = useRead(listAlerts, { params });
  const rules = useRead(listRules, { params });
  const simulated = useMemo(
    () =>
      agent === null || alerts.data === undefined || rules.data === undefined
        ? null
        : simulatedAgent(agent, alerts.data, rules.data),
    [agent, alerts.data, rules.data],
  );
  return { simulated, reads: [alerts, rules] as const };
}

/**
 * Runs a simulation when its key changes, and cancels an outdated run; a plan of null waits. With `keepsPrevious` the
 * previous result stays until the new one has come, as long as the last part of the key is the same.
 */
export function useSimulation(
  key: readonly unknown[],
  planOf: (() => Plan) | null,
  { keepsPrevious = false } = {},
) {
  const client = useQueryClient();
  return useQuery({
    queryKey: key,
    queryFn: planOf === null ? skipToken : ({ signal }) => simulateAgent(client, planOf(), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
    placeholderData: (previous, query) =>
      keepsPrevious && query?.queryKey.at(-1) === key.at(-1) ? previous : undefined,
  });
}
