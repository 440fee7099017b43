import type { FullInstruction } from "../../solana/instruction.ts";
import type { ApprovalRequest } from "./approval-request.ts";
import { checkSpotEffects, type SpotIntent } from "./check-spot-effects.ts";
import { type CheckResult, isVaultLife, summarise } from "./check-transaction.ts";
import { Mismatch } from "./mismatch.ts";
import { readSpotInstruction } from "./read-spot-instruction.ts";
import { readVaultLife, VAULT_LIFE_LENGTH } from "./read-vault-life.ts";
import type { Effect } from "./transaction-summary.ts";

/** What the user asked for on a swap venue, and how it is signed. */
export type SpotApprovalRequest = Omit<ApprovalRequest, "instance"> & SpotIntent;

function readEffects(
  instructions: readonly FullInstruction[],
  request: SpotApprovalRequest,
): Effect[] {
  const { wallet, vault, instance } = request;
  const effects: Effect[] = [];
  for (let at = 0; at < instructions.length; at += 1) {
    const given = instructions[at];
    if (given === undefined) continue;
    if (!isVaultLife(given)) {
      effects.push(readSpotInstruction(given, wallet, request, instance));
      continue;
    }
    const life = instructions.slice(at, at + VAULT_LIFE_LENGTH);
    for (const inner of readVaultLife(life, request)) {
      const whole = {
        ...inner,
        accounts: inner.accounts ?? [],
        data: new Uint8Array(inner.data ?? []),
      };
      effects.push(readSpotInstruction(whole, vault, request, instance));
    }
    at += VAULT_LIFE_LENGTH - 1;
  }
  return effects;
}

/** Decodes a prepared transaction of a swap venue's agent in this browser and compares it with what was asked for. */
export function checkSpotTransaction(bytes: Uint8Array, request: SpotApprovalRequest): CheckResult {
  try {
    const summary = summarise(bytes, request, (instructions) => {
      const effects = readEffects(instructions, request);
      checkSpotEffects(effects, request);
      return effects;
    });
    return { kind: "matches", summary };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: "mismatch", reason: error.message };
    throw error;
  }
}
