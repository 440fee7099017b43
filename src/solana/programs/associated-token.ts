import { type Address, address } from "@solana/kit";
import {
  type FullInstruction,
  instruction,
  readonly,
  writable,
  writableSigner,
} from "../instruction.ts";
import { addressBytes, deriveAddress } from "../pda.ts";
import { SYSTEM_PROGRAM } from "./system.ts";
import { TOKEN_PROGRAM } from "./token.ts";

/** The program that gives every wallet one token account per mint. */
export const ASSOCIATED_TOKEN_PROGRAM = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");

/** Returns the address of a wallet's associated token account of the SPL Token program. */
export function associatedTokenAddress(owner: Address, mint: Address): Address {
  return deriveAddress(ASSOCIATED_TOKEN_PROGRAM, [
    addressBytes(owner),
    addressBytes(TOKEN_PROGRAM),
    addressBytes(mint),
  ]).address;
}

/** Creates a wallet's associated token account, or does nothing when it exists. */
export function createAssociatedTokenIdempotent(accounts: {
  readonly payer: Address;
  readonly owner: Address;
  readonly mint: Address;
}): FullInstruction {
  return instruction(
    ASSOCIATED_TOKEN_PROGRAM,
    [
      writableSigner(accounts.payer),
      writable(associatedTokenAddress(accounts.owner, accounts.mint)),
      readonly(accounts.owner),
      readonly(accounts.mint),
      readonly(SYSTEM_PROGRAM),
      readonly(TOKEN_PROGRAM),
    ],
    [1],
  );
}
