import type { Address, Instruction } from "@solana/kit";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import { squadsArguments } from "../../../solana/programs/squads.ts";
import { SQUADS_PROGRAM } from "../../../solana/programs/squads-pdas.ts";
import type { Effect } from "../../../venues/effect.ts";
import type { ApprovalRequest, ApprovalTerms } from "../../../venues/venue-approval.ts";
import { readOwnerInstruction } from "./read-owner-instruction.ts";
import { readVaultLife, VAULT_LIFE_LENGTH } from "./read-vault-life.ts";

/** Returns whether an instruction is the first of the five of one vault operation. */
function isVaultLife({ programAddress, data }: FullInstruction): boolean {
  if (programAddress !== SQUADS_PROGRAM) return false;
  try {
    squadsArguments.vaultTransactionCreate.decode(data);
    return true;
  } catch {
    return false;
  }
}

const whole = (given: Instruction): FullInstruction => ({
  ...given,
  accounts: given.accounts ?? [],
  data: new Uint8Array(given.data ?? []),
});

/**
 * Reads what a transaction's instructions do, in their order; those of a vault operation are read out of it. The venue
 * reads its own instructions, everything else is read here. Throws `Mismatch` for whatever nobody can read.
 */
export function readEffects(
  instructions: readonly FullInstruction[],
  request: ApprovalRequest,
  terms: ApprovalTerms,
): readonly Effect[] {
  const { wallet, vault } = request;
  const read = (given: FullInstruction, authority: Address): Effect =>
    terms.read(given, authority, request) ??
    readOwnerInstruction(given, { authority, wallet }, [terms.quote, ...terms.assets]);
  const effects: Effect[] = [];
  for (let at = 0; at < instructions.length; at += 1) {
    const given = instructions[at];
    if (given === undefined) continue;
    if (!isVaultLife(given)) {
      effects.push(read(given, wallet));
      continue;
    }
    const life = instructions.slice(at, at + VAULT_LIFE_LENGTH);
    effects.push(...readVaultLife(life, request).map((inner) => read(whole(inner), vault)));
    at += VAULT_LIFE_LENGTH - 1;
  }
  return effects;
}
