import type { Clock } from "../../domain/clock.ts";
import { type AccountReading, toOrder } from "../../domain/order/signing-budget.ts";
import { refuseAnyEntry, refusePrice } from "../../domain/order/signing-limits.ts";
import { squadsArguments, SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import type { LimitedOrder, OrderLimits } from "../order-signing.ts";
import type { VenueAccount } from "../venue.ts";
import { type JupiterInstance, JUPITER_PROGRAM, priceOf, valueOf } from "./instance.ts";
import { minimumOutput, readRoute } from "./route-instruction.ts";
import type { SpotPrices } from "./swap-router.ts";

type Refusing = (...asked: Parameters<OrderLimits>) => Promise<string | LimitedOrder>;

/**
 * Returns the limits of a trading key's signatures on the swap venue: one draw that is swapped whole, only in the
 * agent's asset, for at least the price as read here less the agent's slippage, and only sales where the agent may only
 * reduce.
 *
 * The vault's own spending limits bound the drawn amount on chain.
 */
export function createJupiterOrderLimits(options: {
  readonly prices: SpotPrices;
  readonly instance: JupiterInstance;
  readonly clock: Clock;
  readonly readAccount: (account: VenueAccount) => Promise<AccountReading>;
}): OrderLimits {
  const { prices, instance, clock, readAccount } = options;

  const limit: Refusing = async (account, instructions, purpose, terms) => {
    if (purpose !== "order") return "nothing rests and nothing is settled on the swap venue";
    const draws = instructions.filter(({ programAddress }) => programAddress === SQUADS_PROGRAM);
    const swaps = instructions.filter(({ programAddress }) => programAddress === JUPITER_PROGRAM);
    const [draw, swap] = [draws[0], swaps[0]];
    const route = swap === undefined ? null : readRoute(swap);
    if (draws.length !== 1 || swaps.length !== 1 || draw === undefined || route === null) {
      return "it is more or something else than one order";
    }
    const drawn = squadsArguments.spendingLimitUse.decode(draw.data).amount;
    if (drawn !== route.inAmount || draw.accounts[6]?.address !== route.sourceMint) {
      return "it does not swap what it draws";
    }
    if (terms.tradingState === "halted") return "trading is halted";
    const isBuy = route.sourceMint === instance.quote.mint;
    const traded = isBuy ? route.destinationMint : route.sourceMint;
    const asset = instance.assets.find(({ mint }) => mint === traded);
    if (asset === undefined) return "the asset is not traded here";
    if (isBuy && terms.tradingState === "reducing") return refuseAnyEntry(terms.unsigned);
    if (isBuy && asset.marketId !== terms.marketId) return "it is not the agent's market";
    const least = minimumOutput(route.quotedOutAmount, route.slippageBps);
    if (least <= 0n) return "it is sold for nothing";
    const [base, quote] = isBuy ? [least, drawn] : [drawn, least];
    const order = {
      side: isBuy ? "long" : "short",
      price: priceOf(asset, base, quote),
      reduceOnly: !isBuy,
    } as const;
    const { slippageBps } = terms;
    const [market, seen] = await Promise.all([prices.price(asset.marketId), readAccount(account)]);
    const nowMs = clock.now();
    const refusal = refusePrice(order, market, { slippageBps, nowMs });
    if (refusal !== null) return refusal;
    const { marketId } = asset;
    const notional = isBuy ? drawn : valueOf(asset, drawn, market.price);
    const figures = { ...order, marketId, baseSize: base, notional, account: seen };
    return { refusal, order: toOrder(figures, market, nowMs) };
  };
  return async (...asked) => {
    const limited = await limit(...asked);
    return typeof limited === "string" ? { refusal: limited } : limited;
  };
}
