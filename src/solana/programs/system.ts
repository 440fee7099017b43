import {
  type Address,
  address,
  getAddressCodec,
  getStructCodec,
  getU32Codec,
  getU64Codec,
} from "@solana/kit";
import { type FullInstruction, instruction, writable, writableSigner } from "../instruction.ts";

/** The program that owns wallets and creates accounts. */
export const SYSTEM_PROGRAM = address("11111111111111111111111111111111");

/** The rent sysvar some programs still want to be shown. */
export const RENT_SYSVAR = address("SysvarRent111111111111111111111111111111111");

const transferCodec = getStructCodec([
  ["kind", getU32Codec()],
  ["lamports", getU64Codec()],
]);

const createCodec = getStructCodec([
  ["kind", getU32Codec()],
  ["lamports", getU64Codec()],
  ["space", getU64Codec()],
  ["owner", getAddressCodec()],
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

/** Creates an account of `space` bytes owned by a program; payer and new account both sign. */
export function createAccount(
  accounts: { readonly payer: Address; readonly account: Address },
  args: { readonly lamports: bigint; readonly space: bigint; readonly owner: Address },
): FullInstruction {
  return instruction(
    SYSTEM_PROGRAM,
    [writableSigner(accounts.payer), writableSigner(accounts.account)],
    createCodec.encode({ kind: 0, ...args }),
  );
}
