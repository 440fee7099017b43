import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getPerformance } from "../../contract/performance.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Range } from "../../domain/performance/range.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type Performance = ResponseOf<typeof getPerformance>;

/** Poll interval in milliseconds; price changes send no notice. */
const POLL_MS = 15_000;

/** Performance of an agent in a range. The previous range's answer is kept while another one loads. */
export const performanceQuery = (address: SignedInWallet, agentId: AgentId | "", range: Range) =>
  queryOptions({
    queryKey: [...keysOf(address).performance(agentId), range],
    queryFn: () => call(getPerformance, { params: { botId: agentId }, query: { range } }),
    enabled: address !== "" && agentId !== "",
    placeholderData: (previous: Performance | undefined, query) =>
      query?.queryKey.includes(agentId) === true ? previous : undefined,
    refetchInterval: POLL_MS,
  });
