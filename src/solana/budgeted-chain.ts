import type { Chain } from "./chain.ts";
import type { CallClass, RequestBudget } from "./request-budget.ts";
import { wrapChain } from "./wrap-chain.ts";

/** Largest number of accounts a node returns per request. */
export const ACCOUNTS_PER_REQUEST = 100;

type Calls = Omit<Chain, "network" | "withOneNode">;

/** Number of requests each call of the port makes. The type requires an entry for every method added to the port. */
const REQUESTS: { readonly [K in keyof Calls]-?: (...input: Parameters<Calls[K]>) => number } = {
  genesisHash: () => 1,
  accounts: (addresses) => Math.max(1, Math.ceil(addresses.length / ACCOUNTS_PER_REQUEST)),
  accountsOf: () => 1,
  latestBlockhash: () => 1,
  progress: () => 1,
  historyStart: () => 1,
  simulate: () => 1,
  send: () => 1,
  signatureStatuses: () => 1,
  transaction: () => 1,
  recentUnitPrices: () => 1,
  minimumBalance: () => 1,
  slotDurationMs: () => 1,
  signaturesFor: () => 1,
};

/**
 * Returns a view of a chain whose calls wait for their turn in a request budget. Views of one chain share its caches.
 */
export function createBudgetedChain(
  chain: Chain,
  budget: RequestBudget,
  callClass: CallClass,
): Chain {
  return wrapChain(chain, (inner) => {
    const views = Object.entries(REQUESTS).map(([name, requests]) => {
      const count = requests as (...input: unknown[]) => number;
      const ask = inner[name as keyof Calls] as (...input: unknown[]) => Promise<unknown>;
      const view = async (...input: unknown[]): Promise<unknown> => {
        await budget.take(callClass, count(...input));
        return ask(...input);
      };
      return [name, view] as const;
    });
    return Object.fromEntries(views) as unknown as Calls;
  });
}
