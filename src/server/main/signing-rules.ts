import type { Clock } from "../../domain/clock.ts";
import { isBuiltIn, type Network } from "../../domain/network.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import type { Chain } from "../../solana/chain.ts";
import { createDriftAllowList } from "../../venues/drift/allow-list.ts";
import { createDriftOrderLimits } from "../../venues/drift/order-limits.ts";
import { DRIFT_INSTANCES } from "../../venues/drift/instance.ts";
import { createJupiterAllowList } from "../../venues/jupiter/allow-list.ts";
import { createJupiterOrderLimits } from "../../venues/jupiter/order-limits.ts";
import { vaultReader } from "../../venues/jupiter/vault-reading.ts";
import { JUPITER_PRACTICE_INSTANCE, JUPITER_INSTANCE } from "../../venues/jupiter/instance.ts";
import type { SpotPrices } from "../../venues/jupiter/swap-router.ts";
import type { SigningRules } from "../../venues/order-signing.ts";

/**
 * Creates the signing rules of one network's venues, checked against this chain. `prices` are the signer's own of spot
 * assets in the quote token.
 */
export function createSigningRules(
  network: Network,
  {
    chain,
    entries = chain,
    readings = [chain, chain],
    clock,
    prices,
  }: {
    readonly chain: Chain;
    /** The chain for what became of signatures before an entry. */
    readonly entries?: Chain;
    /** The chain for an entry's two readings, which never are one request. */
    readonly readings?: readonly [Chain, Chain];
    readonly clock: Clock;
    readonly prices: SpotPrices;
  },
): ReadonlyMap<VenueId, SigningRules> {
  const instance = DRIFT_INSTANCES[network];
  const spot = isBuiltIn(network) ? JUPITER_PRACTICE_INSTANCE : JUPITER_INSTANCE;
  return new Map<VenueId, SigningRules>([
    [
      "drift",
      {
        allow: createDriftAllowList(instance, clock),
        limit: createDriftOrderLimits({ chain, readings, instance, clock }),
        chain,
        entries,
      },
    ],
    [
      "jupiter",
      {
        allow: createJupiterAllowList(spot),
        limit: createJupiterOrderLimits({
          prices,
          instance: spot,
          clock,
          readAccount: vaultReader(readings, { prices, instance: spot, clock }),
        }),
        chain,
        entries,
      },
    ],
  ]);
}
