import { isSameInstruction } from "./encoding/instruction.ts";
import { type Address, type Instruction, address } from "@solana/kit";
import { type DecodedTransaction, decodeTransaction } from "./decode-transaction.ts";
import { COMPUTE_BUDGET_PROGRAM } from "./programs/compute-budget.ts";
import type { LookupTables } from "./programs/squads-message.ts";
import { SYSTEM_PROGRAM } from "./programs/system.ts";

/** Program of the assertion instructions that Phantom adds before it signs. */
export const LIGHTHOUSE_PROGRAM = address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95");

/** Why a transaction returned by a wallet is not the one it was given. */
export type ReturnedRefusal =
  | "unreadable"
  | "fee_payer_changed"
  | "blockhash_changed"
  | "signers_changed"
  | "instructions_changed"
  | "settings_changed"
  | "durable_nonce";

/** Whether a transaction returned by a wallet may be co-signed. */
export type ReturnedVerdict =
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly reason: ReturnedRefusal };

const ADVANCE_NONCE = 4;

/** Returns whether the instruction advances a nonce, which gives a transaction no expiry. */
export function isNonceAdvance(instruction: Instruction): boolean {
  const data = instruction.data ?? new Uint8Array();
  return (
    instruction.programAddress === SYSTEM_PROGRAM &&
    data.length >= 4 &&
    data[0] === ADVANCE_NONCE &&
    data[1] === 0 &&
    data[2] === 0 &&
    data[3] === 0
  );
}

function isAddable(program: Address): boolean {
  return program === LIGHTHOUSE_PROGRAM || program === COMPUTE_BUDGET_PROGRAM;
}

function keepsInstructions(original: DecodedTransaction, returned: DecodedTransaction): boolean {
  let next = 0;
  for (const instruction of returned.instructions) {
    const expected = original.instructions[next];
    if (expected !== undefined && isSameInstruction(expected, instruction)) next += 1;
    else if (!isAddable(instruction.programAddress)) return false;
  }
  return next === original.instructions.length;
}

/** A wallet may raise limits for instructions it adds, and its owner may raise the fee; no setting may be lowered. */
function keepsSettings(before: DecodedTransaction, after: DecodedTransaction): boolean {
  const [asked, given] = [before.settings, after.settings];
  if (asked === null || given === null) return asked === given;
  const names = [
    "computeUnitLimit",
    "loadedAccountsBytes",
    "heapBytes",
    "priorityFeeLamports",
  ] as const;
  return names.every((name) => (given[name] ?? 0) >= (asked[name] ?? 0));
}

/**
 * Compares a transaction returned by a wallet with the one it was given: same payer, blockhash and signers, same
 * instructions in the same order; only Lighthouse and compute-budget instructions may be added, and the header's limits
 * raised. Signatures are not checked here.
 */
export function verifyReturned(
  original: Uint8Array,
  returned: Uint8Array,
  tables: LookupTables = {},
): ReturnedVerdict {
  const refused = (reason: ReturnedRefusal): ReturnedVerdict => ({ kind: "refused", reason });
  const before = decodeTransaction(original, tables);
  let after: DecodedTransaction;
  try {
    after = decodeTransaction(returned, tables);
  } catch {
    return refused("unreadable");
  }
  if (after.instructions.some(isNonceAdvance)) return refused("durable_nonce");
  if (after.feePayer !== before.feePayer) return refused("fee_payer_changed");
  if (after.blockhash !== before.blockhash) return refused("blockhash_changed");
  const signers = new Set(before.signers.map((slot) => slot.address));
  if (
    after.signers.length !== signers.size ||
    after.signers.some((slot) => !signers.has(slot.address))
  ) {
    return refused("signers_changed");
  }
  if (!keepsSettings(before, after)) return refused("settings_changed");
  return keepsInstructions(before, after) ? { kind: "same" } : refused("instructions_changed");
}
