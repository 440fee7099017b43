import { getAgentHealth } from "../../contract/agent-health.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { AgentId } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type AgentHealth = ResponseOf<typeof getAgentHealth>;

/** Poll interval in milliseconds; ages change without a server notice. */
const POLL_MS = 15_000;

/** Health of an agent; invalidated with its custody and position. */
export const agentHealthQuery = (address: SignedInWallet, agentId: AgentId | "") => ({
  ...read(
    [...keysOf(address).custody(agentId), "health"],
    getAgentHealth,
    agentId && { params: { agentId } },
  ),
  refetchInterval: POLL_MS,
});
