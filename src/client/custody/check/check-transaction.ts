import type { Address } from "@solana/kit";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../../solana/programs/compute-budget.ts";
import { deriveVault } from "../../../solana/programs/squads-pdas.ts";
import type { Effect } from "../../../venues/effect.ts";
import { insist, Mismatch } from "../../../venues/mismatch.ts";
import type { ApprovalRequest, ApprovalTerms } from "../../../venues/venue-approval.ts";
import type { CheckResult, TransactionSummary } from "../transaction-summary.ts";
import { checkEffects } from "./check-effects.ts";
import { decodeMessage } from "./decode-message.ts";
import { readEffects } from "./read-effects.ts";
import { readFee } from "./read-fee.ts";

function checkSigners(signers: readonly Address[], request: ApprovalRequest): void {
  const others = signers.filter((signer) => signer !== request.wallet);
  insist(
    others.length <= (request.method === "sign" ? 1 : 0),
    "The transaction wants signatures besides yours.",
  );
}

function checkMultisig(
  effects: readonly Effect[],
  { multisig, pinnedMultisig }: ApprovalRequest,
): void {
  const isCreation = effects.some((effect) => effect.kind === "create-multisig");
  insist(
    isCreation || pinnedMultisig === null || pinnedMultisig === multisig,
    "The multisig is not the one this browser set up for this agent.",
  );
}

// Opening an existing account has no effect, so a repetition is ignored
function isFirstOpening(effect: Effect, at: number, effects: readonly Effect[]): boolean {
  if (effect.kind !== "create-token-account") return true;
  return (
    effects.findIndex((other) => other.kind === effect.kind && other.account === effect.account) ===
    at
  );
}

function summarise(
  bytes: Uint8Array,
  request: ApprovalRequest,
  terms: ApprovalTerms,
): TransactionSummary {
  const { wallet, multisig, vault, tables } = request;
  const message = decodeMessage(bytes, tables);
  insist(message.feePayer === wallet, "The transaction would be paid for by another wallet.");
  checkSigners(message.signers, request);
  insist(
    deriveVault(multisig).address === vault,
    "The vault does not belong to this agent's multisig.",
  );
  const isBudget = (each: FullInstruction) => each.programAddress === COMPUTE_BUDGET_PROGRAM;
  const budget = message.instructions.filter(isBudget);
  const others = message.instructions.filter((each) => !isBudget(each));
  insist(others.length > 0, "The transaction does nothing.");
  const effects = readEffects(others, request, terms);
  checkEffects(effects, request, terms);
  checkMultisig(effects, request);
  const feeLamports = readFee({
    settings: message.settings,
    budget,
    signerCount: message.signers.length,
    otherCount: others.length,
  });
  const shown = effects.filter(isFirstOpening);
  return { feePayer: wallet, signers: message.signers, effects: shown, feeLamports };
}

/**
 * Decodes a prepared transaction in this browser and compares it with what the user asked for.
 *
 * It is the user's protection from our own server: payer, signers, programs, accounts, amounts and destinations must
 * all be the expected ones, and an instruction that is not understood is refused. `terms` are the venue's.
 */
export function checkTransaction(
  bytes: Uint8Array,
  request: ApprovalRequest,
  terms: ApprovalTerms,
): CheckResult {
  try {
    return { kind: "matches", summary: summarise(bytes, request, terms) };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: "mismatch", reason: error.message };
    throw error;
  }
}
