import type { Chain } from "./chain.ts";

type Call = (...input: unknown[]) => Promise<unknown>;

/** Returns the chain with every call replaced; a group of calls bound to one node counts as one call. */
export function mapCalls(chain: Chain, around: (call: Call) => Call): Chain {
  const calls = Object.entries(chain).map(([name, call]) => [
    name,
    typeof call === "function" ? around(call as Call) : call,
  ]);
  return Object.fromEntries(calls) as Chain;
}
