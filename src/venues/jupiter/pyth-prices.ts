import type { Clock } from "../../domain/clock.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import type { MarketPrice } from "../ports.ts";
import type { RouterSurroundings } from "./http-router.ts";
import type { SpotPrices } from "./swap-router.ts";

/** URL of Pyth's public price service, and the ids of its price feeds. */
const HERMES_URL = "https://hermes.pyth.network/v2/updates/price/latest";

/** Longest wait for one response, milliseconds. */
const TIMEOUT_MS = 3_000;

/** Cache time of a response in milliseconds; far below the age at which a price is too old to trade on. */
const KEPT_MS = 1_000;

interface PythPrice {
  readonly price?: unknown;
  readonly conf?: unknown;
  readonly expo?: unknown;
  readonly publish_time?: unknown;
}

const unavailable = (marketId: string): ChainUnavailableError =>
  new ChainUnavailableError(`No price of ${marketId}`);

/** Returns a figure of `digits × 10^exponent` with six decimals, rounded down; null for invalid input. */
function toPriceUnits(digits: unknown, exponent: number): bigint | null {
  if (typeof digits !== "string" || !/^\d{1,20}$/.test(digits)) return null;
  const shift = exponent + PRICE_DECIMALS;
  const value = BigInt(digits);
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

/** Parses the response for one feed, or returns null when it is malformed. */
export function parsePythAnswer(body: string, feedId: string): MarketPrice | null {
  let answer: {
    readonly parsed?: readonly { readonly id?: unknown; readonly price?: PythPrice }[];
  };
  try {
    answer = JSON.parse(body) as typeof answer;
  } catch {
    return null;
  }
  if (!Array.isArray(answer?.parsed)) return null;
  return parsePythPrice(answer.parsed.find((each) => each?.id === feedId)?.price);
}

/** Parses one feed's price, or returns null when it is malformed or not positive. */
export function parsePythPrice(given: unknown): MarketPrice | null {
  const found = given as PythPrice | null | undefined;
  const expo = found?.expo;
  const publishedAt = found?.publish_time;
  if (typeof expo !== "number" || !Number.isInteger(expo) || Math.abs(expo) > 18) return null;
  if (typeof publishedAt !== "number" || !Number.isSafeInteger(publishedAt)) return null;
  const price = toPriceUnits(found?.price, expo);
  const confidence = toPriceUnits(found?.conf, expo);
  if (price === null || confidence === null || price === 0n) return null;
  return { price, confidence, publishedAtMs: publishedAt * 1_000 };
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

/** Ids of Pyth's feeds against the dollar. Stocks have none here yet, so they are not traded on a real network. */
export const PYTH_FEEDS: Readonly<Record<string, string>> = {
  SOL: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
  BTC: "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43",
  ETH: "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace",
  JUP: "0a0408d619e9380abad35060f9192039ed5042fa6f82301d0e48bb52be830996",
};
