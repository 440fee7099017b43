import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.ts";

export interface AccountMeta {
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** An instruction as the runtime executes it: addresses resolved, privileges granted. */
export interface RuntimeInstruction {
  readonly programId: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

export interface ChainTime {
  readonly slot: bigint;
  /** Seconds since the Unix epoch. */
  readonly unixTime: bigint;
}

/**
 * What one running instruction may see and do.
 *
 * Every change is checked as the real runtime does: only an account's owner takes lamports from it or writes its data,
 * and only where the instruction was given it as writable.
 */
export interface InstructionContext {
  readonly programId: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
  readonly time: ChainTime;
  /** How deep in calls of programs by programs this instruction runs, 1 at the top. */
  readonly depth: number;
  /** Returns the account at a position of the list. Fails with `NotEnoughAccountKeys`. */
  meta(index: number): AccountMeta;
  /** Returns an account's content, empty and owned by System when nobody paid for it. */
  read(address: Address): AccountState;
  writeData(address: Address, data: Uint8Array): void;
  moveLamports(from: Address, to: Address, lamports: bigint): void;
  assign(address: Address, owner: Address): void;
  /** Returns the lamports that make an account of that many bytes exempt from rent, as the Rent sysvar says. */
  minimumBalance(size: number): bigint;
  /** Logs a line, marked as a program's own unless the program is part of the runtime. */
  log(message: string): void;
  /** Leaves bytes for the caller, as the runtime logs them. */
  returnData(bytes: Uint8Array): void;
  /** Logs bytes the way events are logged. */
  logData(data: Uint8Array): void;
  /** Calls another program; `signerSeeds` sign for addresses derived from this program. */
  invoke(instruction: RuntimeInstruction, signerSeeds?: readonly (readonly Uint8Array[])[]): void;
}

/** A program of the practice chain. `builtIn` programs log no consumed units, as on the real chain. */
export interface Program {
  readonly address: Address;
  readonly builtIn: boolean;
  /** Compute units one call costs, without the calls it makes; coarse, from measured figures. */
  readonly units: (data: Uint8Array) => bigint;
  readonly execute: (context: InstructionContext) => void;
}
