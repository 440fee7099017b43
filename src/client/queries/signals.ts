import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { receivedSignal } from "../../contract/signals.ts";
import { listSignals } from "../../contract/signals.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";

export type ReceivedSignal = z.infer<typeof receivedSignal>;

export const signalsQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).signals(agentId),
    queryFn: () => call(listSignals, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
    refetchInterval: pollUnlessLive(3000),
  });
