import { queryOptions } from "@tanstack/react-query";
import { isBuiltIn, type Network } from "../../domain/network.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { ResponseOf } from "../../contract/route.ts";
import { getDeployment } from "../../contract/deployment.ts";
import { chosenNetwork } from "../lib/chosen-network.ts";
import { read } from "./read.ts";

export type Deployment = ResponseOf<typeof getDeployment>;

export type Node = Deployment["networks"][number]["nodes"][number];

/** Poll interval in milliseconds; the state of venues and nodes changes while the page is open. */
const DEPLOYMENT_POLL_MS = 30_000;

/** The same where markets follow live prices, whose absence is told at once. */
const PRICES_POLL_MS = 5_000;

/** Offer and health of this deployment, shared by all wallets. */
export const deploymentQuery = queryOptions({
  ...read("", getDeployment, {}),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state: { data } }) =>
    data?.networks.some(({ prices }) => prices !== undefined) === true
      ? PRICES_POLL_MS
      : DEPLOYMENT_POLL_MS,
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

/** Returns the default network of a new agent: the one chosen in this browser, otherwise the first one offered. */
export function defaultNetwork(deployment: Deployment | undefined): Network {
  const { network: chosen } = chosenNetwork.getState();
  if (chosen !== null && offersNetwork(deployment, chosen)) return chosen;
  return deployment?.networks[0]?.network ?? "practice";
}

export type LivePrices = NonNullable<Deployment["networks"][number]["prices"]>;

/** Returns the live prices that a venue of a network follows; undefined where it has an oracle of its own. */
export const livePrices = (
  deployment: Deployment | undefined,
  network: Network,
  venue?: VenueId,
): LivePrices | undefined =>
  isBuiltIn(network) || (venue !== undefined && VENUE_PROFILES[venue].kind === "spot")
    ? deployment?.networks.find((each) => each.network === network)?.prices
    : undefined;

/** Returns a network's live prices while one is missing or a source has a fault; otherwise null. */
export function troubledPrices(
  deployment: Deployment | undefined,
  network: Network,
  venue?: VenueId,
): LivePrices | null {
  const prices = livePrices(deployment, network, venue);
  const isTroubled =
    prices?.assets.some(({ missing, isConfirmed }) => missing !== null || !isConfirmed) === true ||
    prices?.sources.some(({ trouble }) => trouble !== null) === true;
  return isTroubled ? (prices ?? null) : null;
}

/** Returns a network's nodes when one has a fault; null while all are healthy. */
export function troubledNodes(
  deployment: Deployment | undefined,
  network: Network,
): readonly Node[] | null {
  const nodes = deployment?.networks.find((each) => each.network === network)?.nodes ?? [];
  return nodes.some(({ trouble }) => trouble !== null) ? nodes : null;
}

/** Returns the function that links a signature to the network's explorer; null without one. */
export function explorerLink(
  deployment: Deployment | undefined,
  network: Network,
): ((signature: string) => string) | null {
  const template = deployment?.networks.find((each) => each.network === network)?.explorerUrl;
  if (template === undefined || template === null || !template.startsWith("https://")) return null;
  return (signature) => template.replace("{signature}", encodeURIComponent(signature));
}

/** Returns the function that links an address to the network's explorer; null without one. */
export function explorerAddressLink(
  deployment: Deployment | undefined,
  network: Network,
): ((address: string) => string) | null {
  const link = explorerLink(deployment, network);
  if (link === null) return null;
  return (address) => link(address).replace("/tx/", "/address/");
}
