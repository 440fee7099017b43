import type { Address } from "@solana/kit";
import { getBase64Decoder } from "@solana/kit";
import {
  type AccountState,
  type Overlay,
  rentExemptMinimum,
  rentPerByteOf,
} from "./account-state.ts";
import { sameBytes } from "../../solana/encoding/instruction.ts";
import { customFailure, describeFailure, InstructionFailure } from "./instruction-failure.ts";
import { RENT_SYSVAR } from "../../solana/programs/system.ts";
import { createProgramAddress } from "../../solana/encoding/pda.ts";
import type {
  AccountMeta,
  ChainTime,
  InstructionContext,
  Program,
  RuntimeInstruction,
} from "./program.ts";

const MAX_CALL_DEPTH = 5;
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
const base64 = getBase64Decoder();

/** State shared by all instructions of one transaction. */
export interface TransactionRun {
  readonly accounts: Overlay;
  readonly programs: ReadonlyMap<Address, Program>;
  readonly time: ChainTime;
  readonly logs: string[];
  readonly unitLimit: bigint;
  unitsConsumed: bigint;
}

type Privileges = ReadonlyMap<
  Address,
  { readonly isSigner: boolean; readonly isWritable: boolean }
>;

function privilegesOf(accounts: readonly AccountMeta[]): Privileges {
  const merged = new Map<Address, { isSigner: boolean; isWritable: boolean }>();
  for (const { address, isSigner, isWritable } of accounts) {
    const known = merged.get(address);
    merged.set(address, {
      isSigner: isSigner || (known?.isSigner ?? false),
      isWritable: isWritable || (known?.isWritable ?? false),
    });
  }
  return merged;
}

function checkPrivileges(
  { logs }: Pick<TransactionRun, "logs">,
  instruction: RuntimeInstruction,
  granted: Privileges,
  extraSigners: ReadonlySet<Address>,
): void {
  const refuse = (address: Address, what: string): never => {
    logs.push(`${address}'s ${what} privilege escalated`);
    throw new InstructionFailure("PrivilegeEscalation");
  };
  for (const account of instruction.accounts) {
    const caller = granted.get(account.address);
    if (caller === undefined) throw new InstructionFailure("MissingAccount");
    const signs = caller.isSigner || extraSigners.has(account.address);
    if (account.isWritable && !caller.isWritable) refuse(account.address, "writable");
    if (account.isSigner && !signs) refuse(account.address, "signer");
  }
}

/** Executes one instruction with its inner calls. Throws `InstructionFailure`; the caller rolls back the accounts. */
export function runInstruction(
  run: TransactionRun,
  instruction: RuntimeInstruction,
  stack: readonly Address[] = [],
): void {
  const { programId } = instruction;
  const depth = stack.length + 1;
  if (depth > MAX_CALL_DEPTH) throw new InstructionFailure("CallDepth");
  if (stack.includes(programId) && stack.at(-1) !== programId) {
    throw new InstructionFailure("ReentrancyNotAllowed");
  }
  const program = run.programs.get(programId);
  if (program === undefined) throw new InstructionFailure("UnsupportedProgramId");

  run.logs.push(`Program ${programId} invoke [${depth}]`);
  const unitsBefore = run.unitsConsumed;
  try {
    run.unitsConsumed += program.units(instruction.data);
    if (run.unitsConsumed > run.unitLimit) {
      run.unitsConsumed = run.unitLimit;
      throw new InstructionFailure("ComputationalBudgetExceeded");
    }
    let returned: Uint8Array | undefined;
    const onReturn = (bytes: Uint8Array) => void (returned = bytes);
    program.execute(createContext(run, instruction, { stack, onReturn }));
    if (!program.builtIn) logUnits(run, programId, unitsBefore);
    if (returned !== undefined) {
      run.logs.push(`Program return: ${programId} ${base64.decode(returned)}`);
    }
    run.logs.push(`Program ${programId} success`);
  } catch (error) {
    const failure = asFailure(error);
    if (!program.builtIn) logUnits(run, programId, unitsBefore);
    run.logs.push(`Program ${programId} failed: ${describeFailure(failure)}`);
    throw failure;
  }
}

function logUnits(run: TransactionRun, programId: Address, before: bigint): void {
  const used = run.unitsConsumed - before;
  run.logs.push(`Program ${programId} consumed ${used} of ${run.unitLimit - before} compute units`);
}

/** Too short instruction data is the caller's error, as on the real chain. */
function asFailure(error: unknown): InstructionFailure {
  if (error instanceof InstructionFailure) return error;
  if (error instanceof RangeError) return new InstructionFailure("InvalidInstructionData");
  throw error;
}

function createContext(
  run: TransactionRun,
  instruction: RuntimeInstruction,
  call: { readonly stack: readonly Address[]; readonly onReturn: (bytes: Uint8Array) => void },
): InstructionContext {
  const { stack, onReturn } = call;
  const { programId, accounts, data } = instruction;
  const granted = privilegesOf(accounts);
  const read = (address: Address): AccountState => run.accounts.get(address);
  const isWritable = (address: Address) => granted.get(address)?.isWritable ?? false;

  return {
    programId,
    accounts,
    data,
    time: run.time,
    depth: stack.length + 1,
    read,
    meta(index) {
      const meta = accounts[index];
      if (meta === undefined) throw new InstructionFailure("NotEnoughAccountKeys");
      return meta;
    },
    writeData(address, next) {
      const state = read(address);
      if (sameBytes(state.data, next)) return;
      if (state.owner !== programId) throw new InstructionFailure("ExternalAccountDataModified");
      if (!isWritable(address)) throw new InstructionFailure("ReadonlyDataModified");
      if (next.length > MAX_ACCOUNT_BYTES) throw new InstructionFailure("InvalidRealloc");
      run.accounts.set(address, { ...state, data: next });
    },
    moveLamports(from, to, lamports) {
      if (lamports === 0n) return;
      const source = read(from);
      if (source.owner !== programId) throw new InstructionFailure("ExternalAccountLamportSpend");
      if (!isWritable(from) || !isWritable(to))
        throw new InstructionFailure("ReadonlyLamportChange");
      if (source.lamports < lamports) throw new InstructionFailure("InsufficientFunds");
      run.accounts.set(from, { ...source, lamports: source.lamports - lamports });
      const target = read(to);
      run.accounts.set(to, { ...target, lamports: target.lamports + lamports });
    },
    assign(address, owner) {
      const state = read(address);
      if (state.owner === owner) return;
      const isCleared = state.data.every((byte) => byte === 0);
      if (state.owner !== programId || !isWritable(address) || !isCleared) {
        throw new InstructionFailure("ModifiedProgramId");
      }
      run.accounts.set(address, { ...state, owner });
    },
    minimumBalance: (size) => rentExemptMinimum(size, rentPerByteOf(read(RENT_SYSVAR).data)),
    log(message) {
      const isBuiltIn = run.programs.get(programId)?.builtIn === true;
      run.logs.push(isBuiltIn ? message : `Program log: ${message}`);
    },
    returnData: onReturn,
    logData(bytes) {
      run.logs.push(`Program data: ${base64.decode(bytes)}`);
    },
    invoke(inner, signerSeeds = []) {
      const signers = new Set(signerSeeds.map((seeds) => createProgramAddress(programId, seeds)));
      checkPrivileges(run, inner, granted, signers);
      runInstruction(run, inner, [...stack, programId]);
    },
  };
}

/** Fails with the program's own error number unless the condition holds. */
export function requireOr(condition: boolean, code: number): asserts condition {
  if (!condition) throw customFailure(code);
}
