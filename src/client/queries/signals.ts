import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { receivedSignal } from "../../contract/signals.ts";
import { listSignals } from "../../contract/signals.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type ReceivedSignal = z.infer<typeof receivedSignal>;

export const signalsQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).signals(agentId),
    queryFn: () => call(listSignals, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
    refetchInterval: pollUnlessLive(3000),
  });
