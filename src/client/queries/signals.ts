import type { ResponseOf } from "../../contract/route.ts";
import { listSignals } from "../../contract/signals.ts";
import type { AgentId } from "../../domain/ids.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type ReceivedSignal = ResponseOf<typeof listSignals>[number];

export const signalsQuery = (address: SignedInWallet, agentId: AgentId | "") => ({
  ...read(keysOf(address).signals(agentId), listSignals, agentId && { params: { agentId } }),
  refetchInterval: pollUnlessLive(3000),
});
