import type { Clock } from "../../domain/clock.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import type { MarketPrice } from "../ports.ts";
import { parsePythPrice } from "../pyth-price.ts";
import type { RouterSurroundings } from "./http-router.ts";
import type { SpotPrices } from "./swap-router.ts";

/** URL of Pyth's public price service, and the ids of its price feeds. */
const HERMES_URL = "https://hermes.pyth.network/v2/updates/price/latest";

/** Longest wait for one response, milliseconds. */
const TIMEOUT_MS = 3_000;

/** Cache time of a response in milliseconds; far below the age at which a price is too old to trade on. */
const KEPT_MS = 1_000;

const unavailable = (marketId: string): ChainUnavailableError =>
  new ChainUnavailableError(`No price of ${marketId}`);

/** Parses the response for one feed, or returns null when it is malformed. */
export function parsePythAnswer(body: string, feedId: string): MarketPrice | null {
  let answer: {
    readonly parsed?: readonly { readonly id?: unknown; readonly price?: unknown }[];
  };
  try {
    answer = JSON.parse(body) as typeof answer;
  } catch {
    return null;
  }
  if (!Array.isArray(answer?.parsed)) return null;
  return parsePythPrice(answer.parsed.find((each) => each?.id === feedId)?.price);
}

/** Creates a price source on Pyth's feeds, independent of the router. Markets without a feed have no price. */
export function createPythPrices(
  surroundings: Pick<RouterSurroundings, "get"> & { readonly clock: Clock },
  feedIds: Readonly<Record<string, string>>,
): SpotPrices {
  const kept = new Map<string, { readonly askedAtMs: number; readonly price: MarketPrice }>();
  return {
    isPriced: (marketId) => feedIds[marketId] !== undefined,
    async price(marketId) {
      const feedId = feedIds[marketId];
      if (feedId === undefined) throw unavailable(marketId);
      const known = kept.get(marketId);
      const askedAtMs = surroundings.clock.now();
      if (known !== undefined && askedAtMs - known.askedAtMs < KEPT_MS) return known.price;
      const answer = await surroundings
        .get(`${HERMES_URL}?parsed=true&ids[]=${feedId}`, {}, TIMEOUT_MS)
        .catch(() => null);
      const price = answer?.status === 200 ? parsePythAnswer(answer.body, feedId) : null;
      if (price === null) throw unavailable(marketId);
      kept.set(marketId, { askedAtMs, price });
      return price;
    },
  };
}
