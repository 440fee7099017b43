import { queryOptions } from "@tanstack/react-query";
import type { Network } from "../../domain/network.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { getDeployment } from "../../contract/deployment.ts";
import { call } from "../lib/api.ts";

export type Deployment = ResponseOf<typeof getDeployment>;

export type Node = Deployment["networks"][number]["nodes"][number];

/** How venues and nodes are changes while the page is open. */
const DEPLOYMENT_POLL_MS = 30_000;

/** What this deployment offers and how it is: the same for every wallet. */
export const deploymentQuery = queryOptions({
  queryKey: ["deployment"],
  queryFn: () => call(getDeployment),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: DEPLOYMENT_POLL_MS,
  gcTime: Number.POSITIVE_INFINITY,
  retry: Number.POSITIVE_INFINITY,
  retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 15_000),
});

/** Says whether practice money exists here. */
export function offersPractice(deployment: Deployment | undefined): boolean {
  return deployment?.networks.some(({ network }) => network === "practice") ?? false;
}

/** Network a new agent starts on: the first one offered. */
export function defaultNetwork(deployment: Deployment | undefined): Network {
  return deployment?.networks[0]?.network ?? "practice";
}

/** Returns a network's nodes when one of them is in trouble, null while all are well. */
export function troubledNodes(
  deployment: Deployment | undefined,
  network: Network,
): readonly Node[] | null {
  const nodes = deployment?.networks.find((each) => each.network === network)?.nodes ?? [];
  return nodes.some(({ trouble }) => trouble !== null) ? nodes : null;
}
