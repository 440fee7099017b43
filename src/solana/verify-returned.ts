import { isSameInstruction } from "./encoding/instruction.ts";
import { type Instruction, address } from "@solana/kit";
import { MAX_COMPUTE_UNITS } from "./compute-limit.ts";
import { type DecodedTransaction, decodeTransaction } from "./decode-transaction.ts";
import {
  COMPUTE_BUDGET_PROGRAM,
  readComputeUnitLimit,
  readComputeUnitPrice,
} from "./programs/compute-budget.ts";
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

const isBudget = ({ programAddress }: Instruction) => programAddress === COMPUTE_BUDGET_PROGRAM;

/** Returns whether a wallet may add an instruction: an assertion of its own, or a limit of units and their price. */
export const isAddable = (instruction: Instruction): boolean =>
  instruction.programAddress === LIGHTHOUSE_PROGRAM || isBudget(instruction);

function keepsInstructions(original: DecodedTransaction, returned: DecodedTransaction): boolean {
  const kept = original.instructions.filter((each) => !isBudget(each));
  let next = 0;
  for (const instruction of returned.instructions) {
    const expected = kept[next];
    if (expected !== undefined && isSameInstruction(expected, instruction)) next += 1;
    else if (!isAddable(instruction)) return false;
  }
  return next === kept.length;
}

/** Most that a wallet may offer for a transaction's priority, in lamports, 0.01 SOL: what its owner pays in a rush. */
const MAX_OWNER_FEE_LAMPORTS = 10_000_000n;

/** Returns the limit of units that is set before the other instructions, where no other one is set. */
function limitOf({ instructions }: DecodedTransaction): number | null {
  const first = instructions.findIndex((each) => !isAddable(each));
  const limits = instructions.flatMap((each, at) => {
    const units = readComputeUnitLimit(each);
    return units === null ? [] : [at < first ? units : null];
  });
  return limits.length === 1 ? (limits[0] ?? null) : null;
}

/** A wallet may replace the limit of units by a higher one, and the price by any that costs no more than our bound. */
function keepsBudget(before: DecodedTransaction, after: DecodedTransaction): boolean {
  const [asked, given] = [limitOf(before), limitOf(after)];
  if (asked !== null && (given === null || given < asked)) return false;
  const units = BigInt(given ?? MAX_COMPUTE_UNITS);
  // Wherever it stands and however often it is set: the runtime alone says which one counts
  const prices = after.instructions.map((each) => readComputeUnitPrice(each) ?? 0n);
  return prices.every((price) => units * price <= MAX_OWNER_FEE_LAMPORTS * 1_000_000n);
}

/** A wallet may raise limits for instructions it adds, and its owner the fee to our bound; no setting may be lowered. */
function keepsSettings(before: DecodedTransaction, after: DecodedTransaction): boolean {
  const [asked, given] = [before.settings, after.settings];
  if (asked === null || given === null) return asked === given;
  const names = [
    "computeUnitLimit",
    "loadedAccountsBytes",
    "heapBytes",
    "priorityFeeLamports",
  ] as const;
  return (
    (given.priorityFeeLamports ?? 0n) <= MAX_OWNER_FEE_LAMPORTS &&
    names.every((name) => (given[name] ?? 0) >= (asked[name] ?? 0))
  );
}

/**
 * Compares a transaction returned by a wallet with the one it was given: same payer, blockhash and signers, same
 * instructions in the same order; only Lighthouse and compute-budget instructions may be added, limits raised, in the
 * header or by their instructions, and the price changed within a bound. Signatures are not checked here.
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
  const isSame = keepsInstructions(before, after) && keepsBudget(before, after);
  return isSame ? { kind: "same" } : refused("instructions_changed");
}
