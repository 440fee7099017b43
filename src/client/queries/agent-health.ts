import { queryOptions } from "@tanstack/react-query";
import { getAgentHealth } from "../../contract/agent-health.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type AgentHealth = ResponseOf<typeof getAgentHealth>;

/** Ages grow without a notice from the server. */
const POLL_MS = 15_000;

/** How an agent is; stale with its custody and its position. */
export const agentHealthQuery = (address: string, botId: string) =>
  queryOptions({
    queryKey: [...keysOf(address).custody(botId), "health"],
    queryFn: () => call(getAgentHealth, { params: { botId } }),
    enabled: address !== "" && botId !== "",
    refetchInterval: POLL_MS,
  });
