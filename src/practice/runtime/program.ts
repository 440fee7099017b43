import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.ts";

export interface AccountMeta {
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** An instruction ready for execution: addresses resolved, privileges granted. */
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
 * What a running instruction can read and do.
 *
 * Every change is checked as in the real runtime: only an account's owner debits lamports or writes data, and only if
 * the instruction received it as writable.
 */
export interface InstructionContext {
  readonly programId: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
  readonly time: ChainTime;
  /** Call depth of this instruction, 1 at the top. */
  readonly depth: number;
  /** Returns the account at an index of the list. Fails with `NotEnoughAccountKeys`. */
  meta(index: number): AccountMeta;
  /** Returns an account's content; a missing account is empty and owned by System. */
  read(address: Address): AccountState;
  writeData(address: Address, data: Uint8Array): void;
  moveLamports(from: Address, to: Address, lamports: bigint): void;
  assign(address: Address, owner: Address): void;
  /** Returns the rent-exempt minimum of an account of that many bytes in lamports, from the Rent sysvar. */
  minimumBalance(size: number): bigint;
  /** Logs a line, marked as the program's unless the program is built in. */
  log(message: string): void;
  /** Sets the return data for the caller and logs it as the runtime does. */
  returnData(bytes: Uint8Array): void;
  /** Logs bytes as an event. */
  logData(data: Uint8Array): void;
  /** Calls another program; `signerSeeds` sign for addresses derived from this program. */
  invoke(instruction: RuntimeInstruction, signerSeeds?: readonly (readonly Uint8Array[])[]): void;
}

/** A program of the practice chain. `builtIn` programs log no consumed units, as on the real chain. */
export interface Program {
  readonly address: Address;
  readonly builtIn: boolean;
  /** Returns the compute units of one call without its inner calls; coarse, from measured figures. */
  readonly units: (data: Uint8Array) => bigint;
  readonly execute: (context: InstructionContext) => void;
}
