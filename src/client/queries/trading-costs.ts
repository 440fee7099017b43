import { queryOptions } from "@tanstack/react-query";
import { getTradingCosts } from "../../contract/trading-costs.ts";
import type { Network } from "../../domain/network.ts";
import type { KnownTradingCosts } from "../../domain/trading-costs.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { call } from "../lib/api.ts";

const MINUTE_MS = 60_000;

export interface MarketCosts extends KnownTradingCosts {
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
}

/** Trading costs of a market as reported by its venue. */
export const tradingCostsQuery = (of: {
  readonly network: Network;
  readonly venue: VenueId;
  readonly marketId: string;
}) =>
  queryOptions({
    queryKey: ["trading-costs", of],
    queryFn: async (): Promise<MarketCosts> => {
      const { minBaseSize, baseStep, ...known } = await call(getTradingCosts, { query: of });
      return { ...known, minBaseSize: BigInt(minBaseSize), baseStep: BigInt(baseStep) };
    },
    staleTime: 10 * MINUTE_MS,
  });
