import { getTradingCosts } from "../../contract/trading-costs.ts";
import type { CallOf, ResponseOf } from "../../contract/route.ts";
import { read } from "./read.ts";

const MINUTE_MS = 60_000;

export type MarketCosts = ResponseOf<typeof getTradingCosts>;

/** Trading costs of a market as reported by its venue. */
export const tradingCostsQuery = (query: CallOf<typeof getTradingCosts>["query"]) => ({
  ...read(["trading-costs", query], getTradingCosts, { query }),
  staleTime: 10 * MINUTE_MS,
});
