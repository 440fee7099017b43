import type { Address } from "@solana/kit";
import type { FullInstruction } from "../../../solana/encoding/instruction.ts";
import { isSameInstruction } from "../../../solana/same-instruction.ts";
import { insist } from "../../../venues/mismatch.ts";

/** Returns the address of an account; throws `Mismatch` where the instruction has too few. */
export function accountAt({ accounts }: FullInstruction, at: number): Address {
  const account = accounts[at];
  insist(account !== undefined, "An instruction lacks an account.");
  return account.address;
}

/** Throws `Mismatch` with the sentence unless the instruction equals the expected one. */
export function requireSame(
  given: FullInstruction,
  expected: FullInstruction,
  sentence: string,
): void {
  insist(isSameInstruction(given, expected), sentence);
}
