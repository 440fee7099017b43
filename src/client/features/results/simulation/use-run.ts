import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Network } from "../../../../domain/network.ts";
import type {
  DailyLimits,
  RecordedFiring,
  SimulatedAgent,
} from "../../../../strategy/simulation.ts";
import type { SignedInWallet } from "../../../lib/session.ts";
import { simulateAgent } from "../../../workers/simulate-agent.ts";
import type { Assumptions } from "./assumption-form.ts";
import { spanOf } from "./firing-records.ts";

/** Requested run; null firings are computed from the agent's conditions. */
export interface WantedRun {
  readonly network: Network;
  readonly agent: SimulatedAgent | null;
  readonly days: number;
  readonly nowMs: number;
  readonly assumed: Assumptions | null;
  /** Recorded firings; the id avoids comparing events one by one. */
  readonly record: { readonly id: string; readonly firings: readonly RecordedFiring[] } | null;
  /** Wallet for which the variant counts as tried; empty where it does not. */
  readonly triedBy: SignedInWallet;
  /** Daily limits of the trading key, and their part of the query key. */
  readonly daily: { readonly limits: DailyLimits | null; readonly key: string | null };
  readonly isReady: boolean;
}

const keyOf = (assumed: Assumptions | null) =>
  assumed === null ? null : { ...assumed, startMoney: `${assumed.startMoney}` };

/** Runs a simulation when its inputs change; an outdated run is cancelled. */
export function useRun({
  network,
  agent,
  days,
  nowMs,
  assumed,
  record,
  triedBy,
  daily,
  isReady,
}: WantedRun) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ["simulation", network, agent, daily.key, days, nowMs, keyOf(assumed), record?.id],
    queryFn: ({ signal }) => {
      if (agent === null) throw new Error("Nothing to simulate yet");
      const span = record === null ? { days, nowMs } : spanOf(record.firings, nowMs);
      const firings = record === null ? undefined : ({ kind: "recorded", ...record } as const);
      const limited = { ...agent, dailyLimits: daily.limits };
      return simulateAgent(
        client,
        { network, agent: limited, ...span, ...assumed, firings, triedBy },
        signal,
      );
    },
    enabled: isReady && agent !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
    // The previous result stays while only assumptions change; with other firings it would be misattributed
    placeholderData: (previous, query) =>
      query?.queryKey.at(-1) === record?.id ? previous : undefined,
  });
}
