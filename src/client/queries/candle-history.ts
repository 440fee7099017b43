import { queryOptions } from "@tanstack/react-query";
import { fetchCandleHistory, type HistoryOf } from "../../assistant/simulate-agent.ts";
import { getCandleHistory } from "../../contract/candle-history.ts";
import { callRoute, PUBLIC } from "./read.ts";

/** History of closed bars; never stale, because closed bars do not change. */
export const candleHistoryQuery = (of: HistoryOf) =>
  queryOptions({
    queryKey: [PUBLIC, getCandleHistory.path, of],
    queryFn: ({ signal }) => fetchCandleHistory(callRoute, of, signal),
    staleTime: Infinity,
  });
