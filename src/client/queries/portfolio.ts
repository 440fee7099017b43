import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getPortfolio } from "../../contract/portfolio.ts";
import type { Range } from "../../domain/performance/range.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Portfolio = ResponseOf<typeof getPortfolio>;

/** Prices move without any notice. */
const POLL_MS = 15_000;

/** Everything a wallet's agents hold and did. The last span's answer stays while another one loads. */
export const portfolioQuery = (address: string, range: Range) =>
  queryOptions({
    queryKey: [...keysOf(address).portfolio, range],
    queryFn: () => call(getPortfolio, { params: { walletAddress: address }, query: { range } }),
    enabled: address !== "",
    placeholderData: (previous: Portfolio | undefined, query) =>
      query?.queryKey.includes(address) === true ? previous : undefined,
    refetchInterval: POLL_MS,
  });
