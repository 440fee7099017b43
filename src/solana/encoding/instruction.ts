import { type AccountMeta, AccountRole, type Address, type Instruction } from "@solana/kit";

/** An instruction with program, accounts and data all present, as our encoders create it. */
export type FullInstruction = Instruction & {
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};

/** Account the instruction only reads. */
export const readonly = (address: Address): AccountMeta => ({
  address,
  role: AccountRole.READONLY,
});

/** Account the instruction may change. */
export const writable = (address: Address): AccountMeta => ({
  address,
  role: AccountRole.WRITABLE,
});

/** Account that must sign and is only read. */
export const signer = (address: Address): AccountMeta => ({
  address,
  role: AccountRole.READONLY_SIGNER,
});

/** Account that must sign and may change. */
export const writableSigner = (address: Address): AccountMeta => ({
  address,
  role: AccountRole.WRITABLE_SIGNER,
});

/** Creates an instruction; `data` is copied so that later changes of the source do not affect it. */
export function instruction(
  programAddress: Address,
  accounts: readonly AccountMeta[],
  data: ArrayLike<number>,
): FullInstruction {
  return { programAddress, accounts, data: Uint8Array.from(data) };
}

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
