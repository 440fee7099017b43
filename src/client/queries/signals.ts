import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { receivedSignal } from "../../contract/signals.ts";
import { listSignals } from "../../contract/signals.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";

export type ReceivedSignal = z.infer<typeof receivedSignal>;

export const signalsQuery = (address: string, botId: string) =>
  queryOptions({
    queryKey: keysOf(address).signals(botId),
    queryFn: () => call(listSignals, { params: { botId } }),
    enabled: address !== "" && botId !== "",
    refetchInterval: pollUnlessLive(3000),
  });
