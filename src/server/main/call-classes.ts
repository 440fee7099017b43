import type { Clock } from "../../domain/clock.ts";
import { createBudgetedChain } from "../../solana/budgeted-chain.ts";
import type { Chain } from "../../solana/chain.ts";
import { createGatheringChain } from "../../solana/gathering-chain.ts";
import { createSteadyFigures } from "../../solana/steady-chain.ts";
import type { CallClass, RequestBudget } from "../../solana/request-budget.ts";
import type { Venue } from "../../venues/venue.ts";
import type { NetworkRuntime } from "../networks.ts";

/**
 * Lifetime of the reconciler's cached reads in milliseconds: it reads one agent's accounts several times in a round.
 */
const RECONCILE_KEPT_MS = 1_000;

/**
 * Returns a network whose calls are prioritised by purpose within one request budget.
 *
 * All classes share one chain, so that none gets an older state than another; each has its own venues on it.
 */
export function withCallClasses(
  runtime: Omit<NetworkRuntime, "venues" | "inClass">,
  venuesOn: (chain: Chain) => readonly Venue[],
  options: {
    readonly clock: Clock;
    readonly budget: RequestBudget;
    readonly endOfMoment: () => Promise<void>;
  },
): NetworkRuntime {
  const { clock, budget, endOfMoment } = options;
  const keepFigures = createSteadyFigures(clock);
  const made = new Map<CallClass, NetworkRuntime>();

  const make = (callClass: CallClass): NetworkRuntime => {
    const budgeted = keepFigures(createBudgetedChain(runtime.chain, budget, callClass));
    const chain = createGatheringChain(budgeted, {
      endOfMoment,
      ...(callClass === "reconcile" ? { kept: { ms: RECONCILE_KEPT_MS, clock } } : {}),
    });
    const venues = new Map(venuesOn(chain).map((venue) => [venue.id, venue]));
    return { ...runtime, chain, venues, inClass: seen };
  };
  function seen(callClass: CallClass): NetworkRuntime {
    const known = made.get(callClass) ?? make(callClass);
    made.set(callClass, known);
    return known;
  }
  return seen("owner");
}
