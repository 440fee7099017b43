import * as z from "zod/mini";
import { storedEntries } from "../lib/stored.ts";

const pins = storedEntries("custody-pins", 1, z.string());
const unreported = storedEntries("unreported-signatures", 1, z.string());

/** Returns the multisig this browser saw being created for the agent, null when another browser did it. */
export function pinnedMultisig(agentId: string): string | null {
  return pins.read().get(agentId) ?? null;
}

/** Remembers the multisig an agent's set-up creates; later transactions must name the same. */
export function pinMultisig(agentId: string, multisig: string): void {
  pins.write(agentId, multisig);
}

/** Returns the signature the wallet gave for a transaction the server has not been told of. */
export function recallSignature(transactionId: string): string | null {
  return unreported.read().get(transactionId) ?? null;
}

/** Keeps a signature over a reload until the server knows it; null forgets it. */
export function rememberSignature(transactionId: string, signature: string | null): void {
  if (signature === null) unreported.remove(transactionId);
  else unreported.write(transactionId, signature);
}
