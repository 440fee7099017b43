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
import type { SpotPrices } from "../src/venues/jupiter/swap-router.ts";
import { VENUE_PROFILES } from "../src/venues/profiles.ts";
import type { RulesOf } from "../src/server/custody/signer/read-signing-agent.ts";
import { createSigningRules } from "../src/server/main/signing-rules.ts";
import type { SigningRules } from "../src/venues/order-signing.ts";
import type { Venue } from "../src/venues/ports.ts";

/** Dependencies a venue is opened with. */
export interface PracticeSurroundings {
  readonly chain: Chain;
  readonly prices: PriceSource;
  readonly clock: Clock;
}

/** A venue that only a test knows, added before its world is opened. */
export interface AddedVenue {
  open(on: PracticeSurroundings): Venue;
  rules(on: PracticeSurroundings): SigningRules;
}

export const ADDED_VENUES = new Map<VenueId, AddedVenue>();

/** The first market of a venue, which the agents of worlds trade. */
export function marketOn(venue: VenueId): string {
  const [market] = VENUE_PROFILES[venue].markets;
  if (market === undefined) throw new Error(`${venue} has no market`);
  return market.marketId;
}

/** The venues of the practice network on a chain, faulty or not. */
export function practiceVenues(
  chain: Chain,
  prices: PriceSource,
  clock: Clock,
  spot: SpotPrices = createPracticeSpotPrices(prices, clock),
): ReadonlyMap<VenueId, Venue> {
  const ours = [
    createDriftVenue({ chain, instance: DRIFT_V2_INSTANCE, clock }),
    createJupiterVenue({
      chain,
      router: createPracticeSwapRouter(chain),
      prices: spot,
      instance: JUPITER_PRACTICE_INSTANCE,
      clock,
    }),
  ];
  const added = [...ADDED_VENUES.values()].map((venue) => venue.open({ chain, prices, clock }));
  return new Map([...ours, ...added].map((venue): [VenueId, Venue] => [venue.id, venue]));
}

/** Signing rules of trading keys on those venues, checked against this chain. */
export function practiceRules(
  chain: Chain,
  prices: PriceSource,
  clock: Clock,
  spot: SpotPrices = createPracticeSpotPrices(prices, clock),
): RulesOf {
  const rules = createSigningRules("practice", { chain, prices: spot, clock });
  return (_network, venue) =>
    ADDED_VENUES.get(venue)?.rules({ chain, prices, clock }) ?? rules.get(venue);
}
