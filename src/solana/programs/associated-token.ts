import { type Address, address } from "@solana/kit";
import { addressBytes } from "../encoding/address-codec.ts";
import {
  type FullInstruction,
  instruction,
  readonly,
  writable,
  writableSigner,
} from "../encoding/instruction.ts";
import { deriveAddress } from "../encoding/pda.ts";
import { SYSTEM_PROGRAM } from "./system.ts";
import { TOKEN_PROGRAM } from "./token.ts";

/** Address of the associated token account program. */
export const ASSOCIATED_TOKEN_PROGRAM = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");

/** Returns the address of a wallet's associated token account; for Token-2022 mints the token program must be given. */
export function associatedTokenAddress(
  owner: Address,
  mint: Address,
  tokenProgram: Address = TOKEN_PROGRAM,
): Address {
  return deriveAddress(ASSOCIATED_TOKEN_PROGRAM, [
    addressBytes(owner),
    addressBytes(tokenProgram),
    addressBytes(mint),
  ]).address;
}

/** Creates a wallet's associated token account, or does nothing when it exists. */
export function createAssociatedTokenIdempotent(accounts: {
  readonly payer: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram?: Address;
}): FullInstruction {
  const { tokenProgram = TOKEN_PROGRAM } = accounts;
  return instruction(
    ASSOCIATED_TOKEN_PROGRAM,
    [
      writableSigner(accounts.payer),
      writable(associatedTokenAddress(accounts.owner, accounts.mint, tokenProgram)),
      readonly(accounts.owner),
      readonly(accounts.mint),
      readonly(SYSTEM_PROGRAM),
      readonly(tokenProgram),
    ],
    [1],
  );
}
