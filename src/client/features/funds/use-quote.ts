import { useQuery } from "@tanstack/react-query";
import type { Agent } from "../../../contract/agent.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import type { QuoteToken } from "../../custody/worth.tsx";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";

/** Returns the settlement token of the agent's venue on its network. */
export function useQuote({ network, venue }: Agent): QuoteToken {
  const deployment = useQuery(deploymentQuery).data;
  const state = deployment?.networks
    .find((each) => each.network === network)
    ?.venues.find((each) => each.venue === venue);
  const usual = VENUE_PROFILES[venue].quote;
  return {
    symbol: state?.quoteSymbol ?? usual.symbol,
    decimals: state?.quoteDecimals ?? usual.decimals,
  };
}
