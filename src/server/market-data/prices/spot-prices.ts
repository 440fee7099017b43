import type { Clock } from "../../../domain/clock.ts";
import { MAX_EXIT_PRICE_AGE_MS } from "../../../domain/exit.ts";
import { PriceUnavailableError } from "../../../solana/chain.ts";
import type { MarketPrice } from "../../../venues/ports.ts";
import type { PriceBulletin } from "./price-board.ts";
import { PRICED_ASSETS, sayFault } from "../../../venues/price-dialects.ts";

/** Whether live prices ever have one of an asset. */
export const isLivePriced = (asset: string): boolean =>
  PRICED_ASSETS.some((each) => each === asset);

/** Returns why there is no price of an asset, and what is wrong with which source, in one sentence. */
function sayMissing(asset: string, { sources }: PriceBulletin): string {
  const troubles = sources.flatMap(({ name, trouble }) =>
    trouble?.assets.includes(asset) === true ? [sayFault(name, trouble.fault)] : [],
  );
  return `No price of ${asset}: ${troubles.join("; ") || "its sources give none to go by"}.`;
}

/**
 * Returns the board's prices for trading with real money: one that is not confirmed, or whose newer one is missing, is a
 * basis for exits alone, and one that is too old for those is none.
 */
export const createSpotPrices = (live: { bulletin(): PriceBulletin }, clock: Clock) => ({
  isPriced: isLivePriced,
  async price(asset: string): Promise<MarketPrice> {
    const bulletin = live.bulletin();
    const found = bulletin.rough[asset] ?? bulletin.prices[asset];
    if (found === undefined || clock.now() - found.publishedAtMs > MAX_EXIT_PRICE_AGE_MS) {
      throw new PriceUnavailableError(sayMissing(asset, bulletin));
    }
    const { price, confidence, publishedAtMs } = found;
    const isConfirmed = found.isConfirmed && bulletin.missing[asset] === undefined;
    return { price, confidence, publishedAtMs, isConfirmed };
  },
});
