import type { Network } from "../../domain/network.ts";
import type { Deployment } from "./deployment.ts";

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
