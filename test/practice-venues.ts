import type { Clock } from "../src/domain/clock.ts";
import type { VenueId } from "../src/domain/venue-id.ts";
import {
  createPracticeSpotPrices,
  createPracticeSwapRouter,
} from "../src/practice/programs/swap/practice-swap-router.ts";
import type { PriceSource } from "../src/practice/price-source.ts";
import type { Chain } from "../src/solana/chain.ts";
import { createDriftVenue } from "../src/venues/drift/drift-venue.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";
import { createJupiterVenue } from "../src/venues/jupiter/jupiter-venue.ts";
import { JUPITER_PRACTICE_INSTANCE } from "../src/venues/jupiter/instance.ts";
import type { RulesOf } from "../src/server/custody/signer/read-signing-agent.ts";
import { createSigningRules } from "../src/server/main/signing-rules.ts";
import type { Venue } from "../src/venues/venue.ts";

/** The venues of the practice network on a chain, faulty or not. */
export function practiceVenues(
  chain: Chain,
  prices: PriceSource,
  clock: Clock,
): ReadonlyMap<VenueId, Venue> {
  const drift = createDriftVenue({ chain, instance: DRIFT_V2_INSTANCE, clock });
  const jupiter = createJupiterVenue({
    chain,
    router: createPracticeSwapRouter(chain),
    prices: createPracticeSpotPrices(prices, clock),
    instance: JUPITER_PRACTICE_INSTANCE,
    clock,
  });
  return new Map<VenueId, Venue>([
    [drift.id, drift],
    [jupiter.id, jupiter],
  ]);
}

/** What trading keys sign on those venues, held against this chain. */
export function practiceRules(chain: Chain, prices: PriceSource, clock: Clock): RulesOf {
  const spot = createPracticeSpotPrices(prices, clock);
  const rules = createSigningRules("practice", { chain, prices: spot, clock });
  return (_network, venue) => rules.get(venue);
}
