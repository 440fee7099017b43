import type { Address } from "@solana/kit";
import {
  type TokenAccount,
  mintCodec,
  TOKEN_ACCOUNT_SIZE,
  TOKEN_PROGRAM,
  tokenAccountCodec,
} from "../../solana/programs/token.ts";
import { customFailure, InstructionFailure } from "../runtime/instruction-failure.ts";
import { requireOr } from "../runtime/invocation.ts";
import type { AccountMeta, InstructionContext } from "../runtime/program.ts";

export const MINT_SIZE = 82;

/** Offsets of the initialized flags of a mint and a token account. */
export const MINT_INITIALIZED_OFFSET = 45;
export const TOKEN_ACCOUNT_STATE_OFFSET = 108;

export const USABLE = 1;
export const FROZEN = 2;

export type Mint = ReturnType<typeof mintCodec.decode>;

/** Reads an initialized token account. */
export function readHolding(context: InstructionContext, address: Address): TokenAccount {
  const state = context.read(address);
  if (state.data.length !== TOKEN_ACCOUNT_SIZE) throw new InstructionFailure("InvalidAccountData");
  const holding = tokenAccountCodec.decode(state.data);
  if (holding.state === 0) throw new InstructionFailure("UninitializedAccount");
  if (state.owner !== TOKEN_PROGRAM) throw new InstructionFailure("IncorrectProgramId");
  return holding;
}

/** Reads an initialized mint; `otherwise` is the error code for any other account. */
export function readMint(context: InstructionContext, address: Address, otherwise?: number): Mint {
  const state = context.read(address);
  const isMint = state.owner === TOKEN_PROGRAM && state.data.length === MINT_SIZE;
  const mint = isMint ? mintCodec.decode(state.data) : undefined;
  if (mint?.isInitialized === true) return mint;
  if (otherwise !== undefined) throw customFailure(otherwise);
  throw new InstructionFailure(isMint ? "UninitializedAccount" : "InvalidAccountData");
}

export function writeHolding(
  context: InstructionContext,
  address: Address,
  next: TokenAccount,
): void {
  context.writeData(address, new Uint8Array(tokenAccountCodec.encode(next)));
}

export function writeMint(context: InstructionContext, address: Address, next: Mint): void {
  context.writeData(address, new Uint8Array(mintCodec.encode(next)));
}

/** Fails unless the authority is the expected one and signs. */
export function requireAuthority(expected: Address | null, authority: AccountMeta): void {
  requireOr(expected === authority.address, TOKEN_ERROR.ownerMismatch);
  if (!authority.isSigner) throw new InstructionFailure("MissingRequiredSignature");
}

/** The token program's own error numbers. */
export const TOKEN_ERROR = {
  notRentExempt: 0,
  insufficientFunds: 1,
  invalidMint: 2,
  mintMismatch: 3,
  ownerMismatch: 4,
  fixedSupply: 5,
  alreadyInUse: 6,
  uninitializedState: 9,
  nativeNotSupported: 10,
  nonNativeHasBalance: 11,
  invalidInstruction: 12,
  authorityTypeNotSupported: 15,
  accountFrozen: 17,
  mintDecimalsMismatch: 18,
  nonNativeNotSupported: 19,
} as const;

/** Log texts of the token program's own errors. */
export const TOKEN_ERROR_TEXTS: Readonly<Record<number, string>> = {
  [TOKEN_ERROR.notRentExempt]: "Lamport balance below rent-exempt threshold",
  [TOKEN_ERROR.insufficientFunds]: "insufficient funds",
  [TOKEN_ERROR.invalidMint]: "Invalid Mint",
  [TOKEN_ERROR.mintMismatch]: "Account not associated with this Mint",
  [TOKEN_ERROR.ownerMismatch]: "owner does not match",
  [TOKEN_ERROR.fixedSupply]: "the total supply of this token is fixed",
  [TOKEN_ERROR.alreadyInUse]: "account or token already in use",
  [TOKEN_ERROR.uninitializedState]: "State is uninitialized",
  [TOKEN_ERROR.nativeNotSupported]: "Instruction does not support native tokens",
  [TOKEN_ERROR.nonNativeHasBalance]: "Non-native account can only be closed if its balance is zero",
  [TOKEN_ERROR.invalidInstruction]: "Invalid instruction",
  [TOKEN_ERROR.authorityTypeNotSupported]: "Account does not support specified authority type",
  [TOKEN_ERROR.accountFrozen]: "Account is frozen; all account operations will fail",
  [TOKEN_ERROR.mintDecimalsMismatch]: "decimals different from the Mint decimals",
  [TOKEN_ERROR.nonNativeNotSupported]: "Instruction does not support non-native tokens",
};
