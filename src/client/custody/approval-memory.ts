import * as z from "zod/mini";
import type { AgentId } from "../../domain/ids.ts";
import type { Effect } from "../../venues/effect.ts";
import { storedEntries } from "../lib/stored.ts";
import type { Review } from "./approval-phase.ts";

const pins = storedEntries("custody-pins", 1, z.string());
const keys = storedEntries("trading-key-pins", 1, z.string());
const unreported = storedEntries("unreported-signatures", 1, z.string());

/** Returns the multisig and trading key of an agent that this browser saw approved; null for what another one did. */
export const pinnedAccounts = (agentId: AgentId) => ({
  multisig: pins.read().get(agentId) ?? null,
  tradingKey: keys.read().get(agentId) ?? null,
});

export type PinnedAccounts = ReturnType<typeof pinnedAccounts>;

/** Stores the multisig of an agent's set-up; later transactions must name the same. */
export function pinMultisig(agentId: AgentId, multisig: string): void {
  pins.write(agentId, multisig);
}

/** Returns the trading keys that a transaction gives rights to. */
export const givenKeys = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) =>
    effect.kind === "trading-key" || effect.kind === "spending-limit"
      ? (effect.tradingKey ?? [])
      : [],
  );

/** Stores the multisig that a signed transaction creates and the key it gives rights to; others leave what is stored. */
export function pinApproved(agentId: AgentId, { prepared, summary }: Review): void {
  if (summary.effects.some(({ kind }) => kind === "create-multisig")) {
    pinMultisig(agentId, prepared.multisig);
  }
  const [key] = givenKeys(summary.effects);
  if (key !== undefined) keys.write(agentId, key);
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
