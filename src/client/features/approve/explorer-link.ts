import type { Network } from "../../../domain/network.ts";
import type { Deployment } from "../../queries/deployment.ts";

/** Where the address of a transaction wants its signature. */
const PLACEHOLDER = "{signature}";

/** Returns how to look a signature up in the network's explorer; null where there is none. */
export function explorerLink(
  deployment: Deployment | undefined,
  network: Network,
): ((signature: string) => string) | null {
  const template = deployment?.networks.find((each) => each.network === network)?.explorerUrl;
  if (template === undefined || template === null || !template.startsWith("https://")) return null;
  return (signature) => template.replace(PLACEHOLDER, encodeURIComponent(signature));
}
