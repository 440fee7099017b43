import { getPerformance } from "../../contract/performance.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Range } from "../../domain/performance/range.ts";
import { keysOf } from "./keys.ts";
import { keptFor, read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type Performance = ResponseOf<typeof getPerformance>;

/** Poll interval in milliseconds; price changes send no notice. */
const POLL_MS = 15_000;

/** Performance of an agent in a range. The previous range's answer is kept while another one loads. */
export const performanceQuery = (address: SignedInWallet, agentId: AgentId | "", range: Range) => ({
  ...read(
    [...keysOf(address).performance(agentId), range],
    getPerformance,
    agentId && { params: { agentId }, query: { range } },
  ),
  placeholderData: keptFor(agentId),
  refetchInterval: POLL_MS,
});
