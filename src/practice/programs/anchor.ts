import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { anchorDiscriminator } from "../../solana/encoding/anchor.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { sameBytes } from "../../solana/encoding/instruction.ts";
import { createDerivedAccount, type Derivation } from "./create-account.ts";
import { decodeOnce } from "../runtime/bytes.ts";
import { customFailure, InstructionFailure } from "../runtime/instruction-failure.ts";
import type { AccountMeta, InstructionContext } from "../runtime/program.ts";

/** Errors common to all Anchor programs: code and text. */
const ANCHOR_ERRORS = {
  InstructionFallbackNotFound: [101, "Fallback functions are not supported"],
  InstructionDidNotDeserialize: [102, "The program could not deserialize the given instruction"],
  ConstraintMut: [2000, "A mut constraint was violated"],
  ConstraintHasOne: [2001, "A has one constraint was violated"],
  ConstraintRaw: [2003, "A raw constraint was violated"],
  ConstraintSeeds: [2006, "A seeds constraint was violated"],
  ConstraintAddress: [2012, "An address constraint was violated"],
  ConstraintTokenMint: [2014, "A token mint constraint was violated"],
  ConstraintTokenOwner: [2015, "A token owner constraint was violated"],
  AccountDiscriminatorNotFound: [3001, "No 8 byte discriminator was found on the account"],
  AccountDiscriminatorMismatch: [3002, "8 byte discriminator did not match what was expected"],
  AccountDidNotDeserialize: [3003, "Failed to deserialize the account"],
  AccountNotEnoughKeys: [3005, "Not enough account keys given to the instruction"],
  AccountOwnedByWrongProgram: [
    3007,
    "The given account is owned by a different program than expected",
  ],
  InvalidProgramId: [3008, "Program ID was not as expected"],
  AccountNotSigner: [3010, "The given account did not sign"],
  AccountNotInitialized: [3012, "The program expected this account to be already initialized"],
  AccountSysvarMismatch: [3015, "The given public key does not match the required sysvar"],
} as const;

/** Logs an error as Anchor does and returns the failure to throw. */
export function anchorError(
  context: InstructionContext,
  error: { readonly name: string; readonly code: number; readonly message: string },
  account?: string,
): InstructionFailure {
  const cause = account === undefined ? "occurred" : `caused by account: ${account}`;
  const { name, code, message } = error;
  context.log(
    `AnchorError ${cause}. Error Code: ${name}. Error Number: ${code}. Error Message: ${message}.`,
  );
  return customFailure(code);
}

/** Returns the failure of one of Anchor's own checks. */
export function constraintFailure(
  context: InstructionContext,
  name: keyof typeof ANCHOR_ERRORS,
  account?: string,
): InstructionFailure {
  const [code, message] = ANCHOR_ERRORS[name];
  return anchorError(context, { name, code, message }, account);
}

/** Returns the account at an index of the instruction's list. */
export function accountAt(context: InstructionContext, index: number, name?: string): AccountMeta {
  const meta = context.accounts[index];
  if (meta === undefined) throw constraintFailure(context, "AccountNotEnoughKeys", name);
  return meta;
}

/** Returns the signer at an index. */
export function signerAt(context: InstructionContext, index: number, name: string): Address {
  const meta = accountAt(context, index, name);
  if (!meta.isSigner) throw constraintFailure(context, "AccountNotSigner", name);
  return meta.address;
}

/** An account with its decoded content. */
export interface Loaded<T> {
  readonly address: Address;
  readonly value: T;
}

/** Fails with `ConstraintMut` unless the account at an index is writable. */
export function requireWritable(context: InstructionContext, index: number, name: string): void {
  if (!accountAt(context, index).isWritable)
    throw constraintFailure(context, "ConstraintMut", name);
}

/** Reads a zero-copy account of the running program; a missing account fails as one of another program. */
export function loadMappedAt<T>(
  context: InstructionContext,
  index: number,
  name: string,
  layout: { decode(data: Uint8Array): T },
): Loaded<T> {
  const { address } = accountAt(context, index, name);
  const { owner, data } = context.read(address);
  if (owner !== context.programId) {
    throw constraintFailure(context, "AccountOwnedByWrongProgram", name);
  }
  if (data.length < 8) throw constraintFailure(context, "AccountDiscriminatorNotFound", name);
  return { address, value: decodeOr(context, data, layout, name) };
}

/** Fails with `InvalidProgramId` unless the account at an index is the program. */
export function requireProgram(
  context: InstructionContext,
  index: number,
  program: Address,
  name: string,
): void {
  const { address } = accountAt(context, index, name);
  if (address !== program) throw constraintFailure(context, "InvalidProgramId", name);
}

/** Fails with `AccountSysvarMismatch` unless the account at an index is the sysvar. */
export function requireSysvar(
  context: InstructionContext,
  index: number,
  sysvar: Address,
  name: string,
): void {
  const { address } = accountAt(context, index, name);
  if (address !== sysvar) throw constraintFailure(context, "AccountSysvarMismatch", name);
}

/** Reads an account of the running program. */
export function loadAt<T>(
  context: InstructionContext,
  index: number,
  name: string,
  codec: { decode(data: Uint8Array): T },
): Loaded<T> {
  const { address } = accountAt(context, index, name);
  const state = context.read(address);
  if (state.owner === SYSTEM_PROGRAM && state.lamports === 0n) {
    throw constraintFailure(context, "AccountNotInitialized", name);
  }
  if (state.owner !== context.programId) {
    throw constraintFailure(context, "AccountOwnedByWrongProgram", name);
  }
  return { address, value: decodeOr(context, state.data, codec, name) };
}

function decodeOr<T>(
  context: InstructionContext,
  data: Uint8Array,
  codec: { decode(data: Uint8Array): T },
  name: string,
): T {
  try {
    return decodeOnce(codec, data);
  } catch {
    throw constraintFailure(context, "AccountDiscriminatorMismatch", name);
  }
}

/** Writes an account of the running program and keeps the bytes after the encoded content. */
export function store<T>(
  context: InstructionContext,
  address: Address,
  codec: { encode(value: T): ArrayLike<number> },
  value: T,
): void {
  const encoded = codec.encode(value);
  const data = new Uint8Array(Math.max(context.read(address).data.length, encoded.length));
  data.set(encoded);
  context.writeData(address, data);
}

/**
 * Decodes the instruction's arguments. What follows them is ignored; a flag other than 0 and 1 fails, as in Borsh, whose
 * only way to write a value is this one.
 */
export function argumentsOf<T>(
  context: InstructionContext,
  codec: { decode(data: Uint8Array): T; encode(value: NoInfer<T>): ReadonlyUint8Array },
): T {
  try {
    const value = codec.decode(context.data);
    const written = codec.encode(value);
    if (written.every((byte, at) => byte === context.data[at])) return value;
  } catch {
    // Told below
  }
  throw constraintFailure(context, "InstructionDidNotDeserialize");
}

/** Fails with `ConstraintSeeds` unless the account is the derived address. */
export function requireSeeds(
  context: InstructionContext,
  actual: Address,
  derived: Address,
  name: string,
): void {
  if (actual !== derived) throw constraintFailure(context, "ConstraintSeeds", name);
}

/** Creates an account of the running program at its derived address, as Anchor's `init` does. */
export function initAccount(
  context: InstructionContext,
  address: Address,
  name: string,
  derived: Derivation,
  { payer, space }: { readonly payer: Address; readonly space: number },
): void {
  requireSeeds(context, address, derived.address, name);
  const { seeds } = derived;
  createDerivedAccount(context, { payer, address, space, owner: context.programId, seeds });
}

/** One instruction of an Anchor program. */
export interface AnchorMethod {
  /** Name in snake case, as in the program's interface. */
  readonly name: string;
  readonly units: bigint;
  readonly run: (context: InstructionContext) => void;
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Creates the dispatch of an Anchor program: compute units by data, and execution. */
export function anchorProgram(address: Address, methods: readonly AnchorMethod[]) {
  const table = methods.map((method) => ({
    method,
    discriminator: anchorDiscriminator("global", method.name),
    label: pascalCase(method.name),
  }));
  const find = (data: Uint8Array) =>
    table.find(({ discriminator }) => sameBytes(data.subarray(0, 8), discriminator));
  return {
    address,
    builtIn: false,
    units: (data: Uint8Array) => find(data)?.method.units ?? 1_000n,
    execute(context: InstructionContext) {
      const entry = find(context.data);
      if (entry === undefined) throw constraintFailure(context, "InstructionFallbackNotFound");
      context.log(`Instruction: ${entry.label}`);
      entry.method.run(context);
    },
  };
}
