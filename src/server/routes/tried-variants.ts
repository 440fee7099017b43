import { AppError } from "../../contract/errors.ts";
import { MAX_TRIED_VARIANTS } from "../../contract/tried-variants.ts";
import type { Clock } from "../../domain/clock.ts";
import { findMarket } from "../../venues/profiles.ts";
import type { Handlers } from "../http/handler.ts";
import { addTriedVariants, sumTriedVariants } from "../store/agents/tried-variants.ts";
import { lockWallet } from "../store/chats/chats.ts";
import type { Db } from "../store/postgres/db.ts";

/** Answers the call that counts what the signed-in wallet tried in simulations. */
export function triedVariantHandlers(deps: { readonly db: Db; readonly clock: Clock }) {
  return {
    async countTriedVariants({ session, body: { variants, ...market } }) {
      if (findMarket(market.venue, market.marketId) === undefined) {
        throw new AppError("market_unknown");
      }
      const on = { wallet: session.wallet, ...market };
      if (variants.length > 0) {
        await deps.db.transaction().execute(async (tx) => {
          await lockWallet(tx, session.wallet);
          await addTriedVariants(tx, on, variants, MAX_TRIED_VARIANTS, deps.clock.now());
        });
      }
      const { tries, variance, looks, ofAllMarkets } = await sumTriedVariants(deps.db, on);
      return { tries, variance, isFull: ofAllMarkets >= MAX_TRIED_VARIANTS, looks };
    },
  } satisfies Partial<Handlers>;
}
