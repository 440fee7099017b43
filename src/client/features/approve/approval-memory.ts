import * as z from "zod/mini";
import { storedValue } from "../../lib/stored.ts";

const texts = z.record(z.string(), z.string());
const pins = storedValue("custody-pins", 1, texts);
const unreported = storedValue("unreported-signatures", 1, texts);

/** Returns the multisig this browser saw being created for the agent, null when another browser did it. */
export function pinnedMultisig(agentId: string): string | null {
  return pins.read()?.[agentId] ?? null;
}

/** Remembers the multisig an agent's set-up creates; later transactions must name the same. */
export function pinMultisig(agentId: string, multisig: string): void {
  pins.write({ ...pins.read(), [agentId]: multisig });
}

/** Returns the signature the wallet gave for a transaction the server has not been told of. */
export function recallSignature(transactionId: string): string | null {
  return unreported.read()?.[transactionId] ?? null;
}

/** Keeps a signature over a reload until the server knows it; null forgets it. */
export function rememberSignature(transactionId: string, signature: string | null): void {
  const { [transactionId]: _, ...others } = unreported.read() ?? {};
  unreported.write(signature === null ? others : { ...others, [transactionId]: signature });
}
