import { type Address, address, getStructCodec, getU32Codec, getU64Codec } from "@solana/kit";
import {
  type FullInstruction,
  instruction,
  writable,
  writableSigner,
} from "../encoding/instruction.ts";

/** The program that owns wallets and creates accounts. */
export const SYSTEM_PROGRAM = address("11111111111111111111111111111111");

/** Address of the rent sysvar, which some programs still require as an account. */
export const RENT_SYSVAR = address("SysvarRent111111111111111111111111111111111");

const transferCodec = getStructCodec([
  ["kind", getU32Codec()],
  ["lamports", getU64Codec()],
]);

/** Moves lamports between system accounts. */
export function transferLamports(
  accounts: { readonly from: Address; readonly to: Address },
  lamports: bigint,
): FullInstruction {
  return instruction(
    SYSTEM_PROGRAM,
    [writableSigner(accounts.from), writable(accounts.to)],
    transferCodec.encode({ kind: 2, lamports }),
  );
}
