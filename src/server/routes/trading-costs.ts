import { AppError } from "../../contract/errors.ts";
import { findMarket } from "../../venues/profiles.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import type { Networks } from "../networks.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the call for the trading costs of a market. */
export function tradingCostHandlers(deps: { readonly networks: Networks }) {
  return {
    async getTradingCosts({ query: { network, venue: venueId, marketId } }) {
      const venue = deps.networks.get(network)?.venues.get(venueId);
      if (venue === undefined || findMarket(venueId, marketId) === undefined) {
        throw new AppError("market_unknown");
      }
      const known = await venue.tradingCosts(marketId).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailableError)) throw error;
        throw new AppError("unavailable", { cause: error });
      });
      const { symbol, decimals } = venue.instance.quote;
      return {
        ...known,
        sources: { ...known.sources },
        quoteSymbol: symbol,
        quoteDecimals: decimals,
      };
    },
  } satisfies Partial<Handlers>;
}
