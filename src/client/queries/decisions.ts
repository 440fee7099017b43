import { infiniteQueryOptions, skipToken } from "@tanstack/react-query";
import type { CallOf, ResponseOf } from "../../contract/route.ts";
import { listDecisions, sumDecisions } from "../../contract/decisions.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type Decision = ResponseOf<typeof listDecisions>["decisions"][number];

export type DecisionSums = ResponseOf<typeof sumDecisions>;

/** Filter of decisions; absent fields do not filter. */
export type DecisionQuery = Omit<CallOf<typeof listDecisions>["query"], "cursor">;

/** Poll interval of decisions while push is not connected, in milliseconds. */
const POLL_MS = 5_000;

/** Pages of an agent's decisions, newest first. */
export const decisionsQuery = (
  address: SignedInWallet,
  agentId: AgentId | "",
  filter: DecisionQuery,
) =>
  infiniteQueryOptions({
    queryKey: [...keysOf(address).decisions(agentId), "pages", filter] as const,
    queryFn: agentId
      ? ({ pageParam }) =>
          call(listDecisions, { params: { agentId }, query: { ...filter, cursor: pageParam } })
      : skipToken,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: address !== "",
    refetchInterval: pollUnlessLive(POLL_MS),
  });

/** Totals per alert and per rule of an agent. */
export const decisionSumsQuery = (address: SignedInWallet, agentId: AgentId | "") => ({
  ...read(
    [...keysOf(address).decisions(agentId), "sums"],
    sumDecisions,
    agentId && { params: { agentId } },
  ),
  refetchInterval: pollUnlessLive(POLL_MS),
});
