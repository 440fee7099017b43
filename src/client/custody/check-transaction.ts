import type { Address } from "@solana/kit";
import type { FullInstruction } from "../../solana/instruction.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../solana/programs/compute-budget.ts";
import { squadsArguments } from "../../solana/programs/squads.ts";
import { deriveVault, SQUADS_PROGRAM } from "../../solana/programs/squads-pdas.ts";
import { driftArguments } from "../../venues/drift/instruction-arguments.ts";
import { checkEffects } from "./check-effects.ts";
import { decodeMessage } from "./decode-message.ts";
import { readFee } from "./fee.ts";
import { insist, Mismatch } from "./mismatch.ts";
import { readSettlement } from "./read-drift-exit.ts";
import { readDriftInstruction } from "./read-drift-instruction.ts";
import { readOwnerInstruction } from "./read-owner-instruction.ts";
import { readVaultLife, VAULT_LIFE_LENGTH } from "./read-vault-life.ts";
import type { ApprovalRequest } from "./approval-request.ts";
import type { Effect, TransactionSummary } from "./transaction-summary.ts";

export type CheckResult =
  | { readonly kind: "matches"; readonly summary: TransactionSummary }
  | { readonly kind: "mismatch"; readonly reason: string };

const isReadable = (decode: (data: Uint8Array) => unknown, data: Uint8Array): boolean => {
  try {
    decode(data);
    return true;
  } catch {
    return false;
  }
};

/** Says whether an instruction begins the five of one vault operation. */
export const isVaultLife = ({ programAddress, data }: FullInstruction): boolean =>
  programAddress === SQUADS_PROGRAM &&
  isReadable((bytes) => squadsArguments.vaultTransactionCreate.decode(bytes), data);

const isSettlement = (
  { programAddress, data }: FullInstruction,
  { instance }: ApprovalRequest,
): boolean =>
  programAddress === instance.programId &&
  isReadable((bytes) => driftArguments.settlePnl.decode(bytes), data);

function readEffects(instructions: readonly FullInstruction[], request: ApprovalRequest): Effect[] {
  const { wallet, multisig, vault, instance, tables } = request;
  const effects: Effect[] = [];
  for (let at = 0; at < instructions.length; at += 1) {
    const given = instructions[at];
    if (given === undefined) continue;
    if (isVaultLife(given)) {
      const life = instructions.slice(at, at + VAULT_LIFE_LENGTH);
      for (const inner of readVaultLife(life, { wallet, multisig, vault, tables })) {
        effects.push(
          inner.programAddress === instance.programId
            ? readDriftInstruction(inner, vault, instance)
            : readOwnerInstruction(
                {
                  ...inner,
                  accounts: inner.accounts ?? [],
                  data: new Uint8Array(inner.data ?? []),
                },
                vault,
              ),
        );
      }
      at += VAULT_LIFE_LENGTH - 1;
    } else if (isSettlement(given, request)) {
      effects.push(readSettlement(given, wallet, vault, instance));
    } else effects.push(readOwnerInstruction(given, wallet));
  }
  return effects;
}

type Approval = Omit<ApprovalRequest, "instance">;

function checkSigners(signers: readonly Address[], request: Approval): void {
  const others = signers.filter((signer) => signer !== request.wallet);
  insist(
    others.length <= (request.method === "sign" ? 1 : 0),
    "The transaction wants signatures besides yours.",
  );
}

// Opening an account that is open already does nothing and need not be read twice
function isFirstOpening(effect: Effect, at: number, effects: readonly Effect[]): boolean {
  if (effect.kind !== "create-token-account") return true;
  return (
    effects.findIndex((other) => other.kind === effect.kind && other.account === effect.account) ===
    at
  );
}

/**
 * Reads a transaction's payer, signers, fee and effects. `read` is the venue's part: it reads the instructions beside the
 * compute budget and insists that they are what was asked for. Throws `Mismatch`.
 */
export function summarise(
  bytes: Uint8Array,
  request: Approval,
  read: (instructions: readonly FullInstruction[]) => readonly Effect[],
): TransactionSummary {
  const { wallet, multisig, vault, pinnedMultisig, tables } = request;
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
  const effects = read(others).filter(isFirstOpening);
  const isCreation = effects.some((effect) => effect.kind === "create-multisig");
  insist(
    isCreation || pinnedMultisig === null || pinnedMultisig === multisig,
    "The multisig is not the one this browser set up for this agent.",
  );
  const feeLamports = readFee({
    settings: message.settings,
    budget,
    signerCount: message.signers.length,
    otherCount: others.length,
  });
  return { feePayer: wallet, signers: message.signers, effects, feeLamports };
}

/**
 * Decodes a prepared transaction in this browser and compares it with what the user asked for.
 *
 * It is the user's protection from our own server: payer, signers, programs, accounts, amounts and destinations must
 * all be the expected ones, and an instruction that is not understood is refused.
 */
export function checkTransaction(bytes: Uint8Array, request: ApprovalRequest): CheckResult {
  try {
    const summary = summarise(bytes, request, (instructions) => {
      const effects = readEffects(instructions, request);
      checkEffects(effects, request);
      return effects;
    });
    return { kind: "matches", summary };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: "mismatch", reason: error.message };
    throw error;
  }
}
