import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Agent } from "../../queries/agent.ts";
import type { FiringRecord } from "../../../strategy/simulation.ts";
import { alertsQuery } from "../../queries/alerts.ts";
import { useDailyLimits } from "../../queries/daily-limits.ts";
import { pastAlertsQuery } from "../../queries/past-alerts.ts";
import type { Performance } from "../../queries/performance.ts";
import { rulesQuery } from "../../queries/rules.ts";
import { receivedFirings } from "../../workers/received-firings.ts";
import { simulateAgent } from "../../workers/simulate-agent.ts";
import { simulatedAgent } from "../../workers/simulated-agent.ts";
import { comparedSpan } from "./compared-span.ts";
import type { SignedInWallet } from "../../lib/session.ts";

/** Simulates the saved agent over the shown span, starting with the account's value at its beginning. */
export function useSimulated(address: SignedInWallet, agent: Agent, shown: Performance) {
  const client = useQueryClient();
  const alerts = useQuery(alertsQuery(address, agent.id));
  const rules = useQuery(rulesQuery(address, agent.id));
  const simulated = useMemo(
    () =>
      alerts.data === undefined || rules.data === undefined
        ? null
        : simulatedAgent(agent, alerts.data, rules.data),
    [agent, alerts.data, rules.data],
  );
  // With an outside alert, the conditions alone would simulate a different agent
  const isByConditions =
    simulated !== null && simulated.alerts.every(({ condition }) => condition !== undefined);
  const past = useQuery({
    ...pastAlertsQuery(address, agent.id),
    enabled: simulated !== null && !isByConditions,
  });
  const daily = useDailyLimits(address, agent, simulated?.market);
  const span = simulated === null ? null : comparedSpan(shown, simulated.intervalMinutes);
  const received = isByConditions ? null : past.data;
  const run = useQuery({
    queryKey: [
      "simulated beside live",
      agent.network,
      simulated,
      daily.key,
      span === null ? null : { ...span, startMoney: `${span.startMoney}` },
      received?.length ?? null,
    ],
    queryFn: ({ signal }) => {
      if (simulated === null || span === null) throw new Error("Nothing to simulate yet");
      const firings: FiringRecord =
        received == null
          ? { kind: "conditions" }
          : { kind: "recorded", firings: receivedFirings(received) };
      const { network } = agent;
      const limited = { ...simulated, dailyLimits: daily.limits };
      return simulateAgent(client, { network, agent: limited, ...span, firings }, signal);
    },
    enabled: span !== null && received !== undefined && !daily.isReading,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
  });
  const isUnread = [alerts, rules, past].some(({ isError }) => isError);
  return {
    run,
    isUnread,
    isTooShort: simulated !== null && span === null,
    isByConditions,
  };
}
