import * as z from "zod/mini";
import type { AgentId } from "../../domain/ids.ts";
import { storedEntries } from "../lib/stored.ts";
import type { Review } from "./approval-phase.ts";

const pins = storedEntries("custody-pins", 1, z.string());
const unreported = storedEntries("unreported-signatures", 1, z.string());

/** Returns the multisig this browser recorded when the agent's custody was set up; null when another browser did it. */
export function pinnedMultisig(agentId: AgentId): string | null {
  return pins.read().get(agentId) ?? null;
}

/** Stores the multisig of an agent's set-up; later transactions must name the same. */
export function pinMultisig(agentId: AgentId, multisig: string): void {
  pins.write(agentId, multisig);
}

/** Stores the multisig that a signed transaction creates; other transactions leave what is stored. */
export function pinCreated(agentId: AgentId, { prepared, summary }: Review): void {
  if (summary.effects.some(({ kind }) => kind === "create-multisig")) {
    pinMultisig(agentId, prepared.multisig);
  }
}

/** Returns the signature of a sent transaction that was not yet reported to the server. */
export function recallSignature(transactionId: string): string | null {
  return unreported.read().get(transactionId) ?? null;
}

/** Stores a signature across reloads until the server knows it; null deletes it. */
export function rememberSignature(transactionId: string, signature: string | null): void {
  if (signature === null) unreported.remove(transactionId);
  else unreported.write(transactionId, signature);
}
