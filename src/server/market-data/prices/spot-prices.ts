import type { Clock } from "../../../domain/clock.ts";
import type { NoPrice } from "../../../domain/agent-health.ts";
import { MAX_EXIT_PRICE_AGE_MS } from "../../../domain/exit.ts";
import { PriceUnavailableError } from "../../../venues/ports.ts";
import type { SpotPrices } from "../../../venues/jupiter/swap-router.ts";
import type { PriceBulletin } from "./price-board.ts";
import { PRICED_ASSETS, sayFault } from "./price-dialects.ts";

/** Whether live prices ever have one of an asset. */
export const isLivePriced = (asset: string): boolean =>
  PRICED_ASSETS.some((each) => each === asset);

const WHY: Readonly<Record<NoPrice, string>> = {
  stale: "no source gives a new one",
  apart: "its sources disagree",
  unconfirmed: "one source alone is not believed so far from the last price",
  jumped: "it would have jumped, which is believed of a third source or after ten seconds",
};

/** Returns why there is no price of an asset, and what is wrong with which source, in one sentence. */
function sayMissing(asset: string, { missing, sources }: PriceBulletin): string {
  const troubles = sources.flatMap(({ name, trouble }) =>
    trouble?.assets.includes(asset) === true ? [sayFault(name, trouble.fault)] : [],
  );
  const why = troubles.length > 0 ? troubles.join("; ") : WHY[missing[asset] ?? "stale"];
  return `No price of ${asset}: ${why}.`;
}

/**
 * Returns the board's prices for trading with real money: one that is not confirmed, or whose newer one is missing, is a
 * basis for exits alone, and one that is too old for those is none.
 */
export const createSpotPrices = (
  live: { bulletin(): PriceBulletin },
  clock: Clock,
): SpotPrices => ({
  isPriced: isLivePriced,
  async price(asset) {
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
