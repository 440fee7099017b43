import type { Clock } from "../../domain/clock.ts";
import { createBudgetedChain } from "../../solana/budgeted-chain.ts";
import type { Chain } from "../../solana/chain.ts";
import { createGatheringChain } from "../../solana/gathering-chain.ts";
import { createSteadyFigures } from "../../solana/steady-chain.ts";
import { createTimedChain } from "../../solana/timed-chain.ts";
import type { CallClass, RequestBudget } from "../../solana/request-budget.ts";
import type { Witnesses } from "../../solana/witnesses.ts";
import type { Venue } from "../../venues/venue.ts";
import type { NetworkRuntime } from "../networks.ts";

/**
 * Lifetime of the reconciler's cached reads in milliseconds: it reads one agent's accounts several times in a round.
 */
const RECONCILE_KEPT_MS = 1_000;

/**
 * Longest time in milliseconds of a call that a person waits for. The other classes have none: what trades keeps asking
 * until a node answers.
 */
const LIMIT_MS: Partial<Readonly<Record<CallClass, number>>> = { owner: 12_000, screen: 6_000 };

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
    readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  },
): NetworkRuntime {
  const { clock, budget, endOfMoment, sleep } = options;
  const keepFigures = createSteadyFigures(clock);
  const made = new Map<CallClass, NetworkRuntime>();

  const make = (callClass: CallClass): NetworkRuntime => {
    const budgeted = keepFigures(createBudgetedChain(runtime.chain, budget, callClass));
    const gathering = createGatheringChain(budgeted, {
      endOfMoment,
      ...(callClass === "reconcile" ? { kept: { ms: RECONCILE_KEPT_MS, clock } } : {}),
    });
    const limitMs = LIMIT_MS[callClass];
    const chain = limitMs === undefined ? gathering : createTimedChain(gathering, limitMs, sleep);
    const venues = new Map(venuesOn(chain).map((venue) => [venue.id, venue]));
    const { witnesses } = runtime;
    if (witnesses === undefined) return { ...runtime, chain, venues, inClass: seen };
    const askEach: Witnesses["askEach"] = (slot, work) =>
      witnesses.askEach(slot, (node) => work(createBudgetedChain(node, budget, callClass)));
    return { ...runtime, chain, venues, inClass: seen, witnesses: { ...witnesses, askEach } };
  };
  function seen(callClass: CallClass): NetworkRuntime {
    const known = made.get(callClass) ?? make(callClass);
    made.set(callClass, known);
    return known;
  }
  return seen("owner");
}
