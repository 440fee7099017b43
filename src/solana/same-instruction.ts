import type { Instruction } from "@solana/kit";

interface ByteList {
  readonly length: number;
  readonly [at: number]: number;
}

/** Returns whether both have the same bytes. */
export function sameBytes(one: ByteList, other: ByteList): boolean {
  if (one.length !== other.length) return false;
  // By index: a call per byte takes thirty times as long
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

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
