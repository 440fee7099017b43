import { queryOptions } from "@tanstack/react-query";
import { isBuiltIn, type Network } from "../../domain/network.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { getDeployment } from "../../contract/deployment.ts";
import { read } from "./read.ts";

export type Deployment = ResponseOf<typeof getDeployment>;

export type Node = Deployment["networks"][number]["nodes"][number];

/** Poll interval in milliseconds; the state of venues and nodes changes while the page is open. */
const DEPLOYMENT_POLL_MS = 30_000;

/** Offer and health of this deployment, shared by all wallets. */
export const deploymentQuery = queryOptions({
  ...read("", getDeployment, {}),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: DEPLOYMENT_POLL_MS,
  gcTime: Number.POSITIVE_INFINITY,
  retry: Number.POSITIVE_INFINITY,
  retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 15_000),
});

/** Returns whether the deployment offers a network. */
export const offersNetwork = (deployment: Deployment | undefined, wanted: Network): boolean =>
  deployment?.networks.some(({ network }) => network === wanted) ?? false;

/** Returns whether the deployment offers a network with play money. */
export function offersPlayMoney(deployment: Deployment | undefined): boolean {
  return deployment?.networks.some(({ network }) => isBuiltIn(network)) ?? false;
}

/** Returns the default network of a new agent: the first one offered. */
export function defaultNetwork(deployment: Deployment | undefined): Network {
  return deployment?.networks[0]?.network ?? "practice";
}

/** Returns a network's nodes when one has a fault; null while all are healthy. */
export function troubledNodes(
  deployment: Deployment | undefined,
  network: Network,
): readonly Node[] | null {
  const nodes = deployment?.networks.find((each) => each.network === network)?.nodes ?? [];
  return nodes.some(({ trouble }) => trouble !== null) ? nodes : null;
}
