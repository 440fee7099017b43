import { type Address, address, getStructCodec } from "@solana/kit";
import { u32, u64 } from "../number-codecs.ts";
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
  ["kind", u32],
  ["lamports", u64],
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
