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
