import { AppError } from "../../contract/errors.ts";
import { isBuiltIn } from "../../domain/network.ts";
import { findMarket } from "../../venues/profiles.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import type { PublishedFunding } from "../market-data/published-funding.ts";
import type { Networks } from "../networks.ts";
import type { Handlers } from "../http/handler.ts";

/** Prices of an hour that are measured at least before their mean spread counts. */
const MIN_SPREADS = 100;

/** Answers the call for the trading costs of a market. */
export function tradingCostHandlers(deps: {
  readonly networks: Networks;
  readonly publishedFunding: PublishedFunding;
}) {
  return {
    async getTradingCosts({ query: { network, venue: venueId, marketId, from, to } }) {
      const runtime = deps.networks.get(network);
      const venue = runtime?.venues.get(venueId);
      const market = findMarket(venueId, marketId);
      if (venue === undefined || market === undefined) throw new AppError("market_unknown");
      const known = await venue.tradingCosts(marketId).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailableError)) throw error;
        throw new AppError("unavailable", { cause: error });
      });
      const { symbol, decimals } = venue.instance.quote;
      const live = isBuiltIn(network) ? runtime?.livePrices : undefined;
      const spreads = live?.bulletin().spreads[market.asset];
      const isAsked = from !== undefined && to !== undefined && market.kind === "perpetual";
      const publishedFunding = isAsked
        ? await deps.publishedFunding(network, market.asset, { fromMs: from, toMs: to })
        : null;
      return {
        ...known,
        ...(spreads !== undefined && {
          halfSpreadPpmByHour: spreads.map(([sum, count]) =>
            count < MIN_SPREADS ? null : Math.ceil(sum / count),
          ),
        }),
        ...(publishedFunding !== null && { publishedFunding }),
        sources: { ...known.sources },
        quoteSymbol: symbol,
        quoteDecimals: decimals,
      };
    },
  } satisfies Partial<Handlers>;
}
