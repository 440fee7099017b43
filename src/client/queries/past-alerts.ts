import { queryOptions, skipToken } from "@tanstack/react-query";
import { listPastAlerts, type PastAlert } from "../../contract/signals.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { freshness, keyOf } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Maximum number of alerts fetched; an agent with more is replayed over the newest. */
const MAX_ALERTS = 50_000;

/** All alerts an agent received under one of its names, oldest first. */
export const pastAlertsQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keyOf(address, listPastAlerts, { params: { agentId }, query: {} }, "all"),
    queryFn: agentId ? ({ signal }) => readAll(agentId, signal) : skipToken,
    ...freshness(address, listPastAlerts, { params: { agentId }, query: {} }),
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
