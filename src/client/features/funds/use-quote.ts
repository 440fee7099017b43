import { useQuery } from "@tanstack/react-query";
import type { Agent } from "../../queries/agent.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import type { Quote } from "./amount-check.ts";

/** What the agent's venue settles in on its network. */
export function useQuote({ network, venue }: Agent): Quote {
  const deployment = useQuery(deploymentQuery).data;
  const state = deployment?.networks
    .find((each) => each.network === network)
    ?.venues.find((each) => each.venue === venue);
  return { symbol: state?.quoteSymbol ?? "USDC", decimals: state?.quoteDecimals ?? 6 };
}
