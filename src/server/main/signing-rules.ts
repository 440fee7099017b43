import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import type { Chain } from "../../solana/chain.ts";
import { createDriftAllowList } from "../../venues/drift/allow-list.ts";
import { createDriftOrderLimits } from "../../venues/drift/order-limits.ts";
import { DRIFT_PROFILES } from "../../venues/drift/profile.ts";
import { createJupiterAllowList } from "../../venues/jupiter/allow-list.ts";
import { createJupiterOrderLimits } from "../../venues/jupiter/order-limits.ts";
import { JUPITER_PRACTICE_PROFILE, JUPITER_PROFILE } from "../../venues/jupiter/profile.ts";
import type { SpotPrices } from "../../venues/jupiter/swap-router.ts";
import type { SigningRules } from "../../venues/venue.ts";

/** Makes what trading keys sign on the venues of one network, held against this chain and these prices. */
export function createSigningRules(
  network: Network,
  { chain, prices, clock }: { chain: Chain; prices: SpotPrices; clock: Clock },
): ReadonlyMap<VenueId, SigningRules> {
  const profile = DRIFT_PROFILES[network];
  const spot = network === "practice" ? JUPITER_PRACTICE_PROFILE : JUPITER_PROFILE;
  return new Map<VenueId, SigningRules>([
    [
      "drift",
      {
        allow: createDriftAllowList(profile, clock),
        limit: createDriftOrderLimits({ chain, profile, clock }),
      },
    ],
    [
      "jupiter",
      {
        allow: createJupiterAllowList(spot),
        limit: createJupiterOrderLimits({ prices, profile: spot, clock }),
      },
    ],
  ]);
}
