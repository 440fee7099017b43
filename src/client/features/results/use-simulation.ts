import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { simulatedAgent } from "../../../assistant/simulated-agent.ts";
import type { Agent } from "../../../contract/agent.ts";
import { listAlerts } from "../../../contract/alerts.ts";
import { listRules } from "../../../contract/rules.ts";
import { useRead } from "../../queries/read.ts";
import { simulateAgent } from "../../workers/simulate-agent.ts";

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
