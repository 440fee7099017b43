import { queryOptions, skipToken } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { listPastAlerts } from "../../contract/signals.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type PastAlert = ResponseOf<typeof listPastAlerts>["alerts"][number];

/** Maximum number of alerts fetched; an agent with more is replayed over the newest. */
const MAX_ALERTS = 50_000;

/** All alerts an agent received under one of its names, oldest first. */
export const pastAlertsQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: [...keysOf(address).signals(agentId), "past"],
    queryFn: agentId ? ({ signal }) => readAll(agentId, signal) : skipToken,
    enabled: address !== "",
    staleTime: 60_000,
  });

async function readAll(agentId: AgentId, signal: AbortSignal): Promise<PastAlert[]> {
  const alerts: PastAlert[] = [];
  for (let before: string | undefined; ;) {
    signal.throwIfAborted();
    const page = await call(listPastAlerts, { params: { agentId }, query: { before } });
    alerts.push(...page.alerts);
    if (page.next === null || alerts.length >= MAX_ALERTS) return alerts.reverse();
    before = page.next;
  }
}
