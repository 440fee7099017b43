import { AppError } from "../../contract/errors.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { LAMPORT_DECIMALS } from "../custody/account/custody-limits.ts";
import { readOwner } from "../custody/account/custody-context.ts";
import type { Networks } from "../networks.ts";
import { readFirstSteps } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers what a wallet has done once, and its balances, in the token the network's venues settle in. */
export function walletHandlers(deps: { readonly db: Db; readonly networks: Networks }) {
  return {
    getFirstSteps: ({ params }) => readFirstSteps(deps.db, params.walletAddress),

    async getBalances({ params, query }) {
      const runtime = deps.networks.get(query.network);
      const venue = runtime?.venues.values().next().value;
      if (runtime === undefined || venue === undefined) throw new AppError("network_disabled");
      const { mint, symbol, decimals } = venue.instance.quote;
      const assets = [...runtime.venues.values()].flatMap(({ instance }) => instance.assets ?? []);
      const owner = await readOwner(runtime.chain, params.walletAddress, mint, assets);
      return {
        sol: owner === null ? null : formatDecimal(owner.ownerLamports, LAMPORT_DECIMALS),
        quote: owner === null ? null : formatDecimal(owner.ownerQuote, decimals),
        quoteSymbol: symbol,
        assets:
          owner?.assets.map(({ asset, held }) => ({
            symbol: asset.marketId,
            amount: formatDecimal(held, asset.decimals),
          })) ?? null,
      };
    },
  } satisfies Partial<Handlers>;
}
