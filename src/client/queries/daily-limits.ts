import { useMemo } from "react";
import type { Agent } from "../../contract/agent.ts";
import { dailyLimitsOf, hasDailyLimits } from "../../assistant/described-agent.ts";
import { getCustodyAccess } from "../../contract/custody.ts";
import type { Market } from "../../domain/market.ts";
import { useRead } from "./read.ts";

/** Returns an agent's daily limits in a market and a text of them for query keys; null when unknown. */
export function useDailyLimits(agent: Agent | null, market: Market | undefined) {
  const access = useRead(
    getCustodyAccess,
    { params: { agentId: agent?.id ?? "" } },
    { enabled: hasDailyLimits(agent) },
  );
  const limits = useMemo(
    () => (market === undefined ? null : dailyLimitsOf(access.data ?? null, market)),
    [access.data, market],
  );
  const key = limits === null ? null : `${limits.quote} ${limits.base}`;
  return { limits, key, isReading: access.isLoading };
}
