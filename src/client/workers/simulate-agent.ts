import type { QueryClient } from "@tanstack/react-query";
import {
  type AgentReport,
  type CallRoute,
  type SimulationPlan,
  type SimulationSource,
  simulateWith,
} from "../../assistant/simulate-agent.ts";
import type { SignedInWallet } from "../lib/session.ts";
import { candleHistoryQuery } from "../queries/candle-history.ts";
import { type Asked, read } from "../queries/read.ts";
import { countTried } from "../queries/tried-variants.ts";
import { runSimulation } from "./run-simulation.ts";

/** Returns the page's source of simulations: answers stay cached, runs are made in a worker. */
export function simulationSource(
  client: QueryClient,
  owner: SignedInWallet,
  signal?: AbortSignal,
): SimulationSource {
  const call: CallRoute = (route, request) =>
    client.fetchQuery(read(owner, route, request as Asked<typeof route>));
  return {
    call,
    history: (of) => client.fetchQuery(candleHistoryQuery(of)),
    run: (request) => runSimulation(request, signal),
    countTried: (on, variants) => countTried(client, { ...on, owner }, variants),
  };
}

/** Simulates an agent; the variant counts as tried by `triedBy`. */
export const simulateAgent = (
  client: QueryClient,
  { triedBy = "", ...plan }: SimulationPlan & { readonly triedBy?: SignedInWallet | undefined },
  signal?: AbortSignal,
): Promise<AgentReport> =>
  simulateWith(simulationSource(client, triedBy, signal), { ...plan, isTry: triedBy !== "" });
