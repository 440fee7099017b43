import type { Instruction } from "@solana/kit";

/** Returns whether both have the same bytes. */
export const sameBytes = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((byte, at) => byte === b[at]);

/**
 * Returns whether two instructions call the same program with the same accounts in the same order and the same bytes.
 * Roles are ignored: in a compiled message they belong to the whole transaction.
 */
export function isSameInstruction(a: Instruction, b: Instruction): boolean {
  const [mine, theirs] = [a.accounts ?? [], b.accounts ?? []];
  return (
    a.programAddress === b.programAddress &&
    mine.length === theirs.length &&
    mine.every((account, at) => account.address === theirs[at]?.address) &&
    sameBytes(a.data ?? [], b.data ?? [])
  );
}
