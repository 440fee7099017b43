import type { Address } from "@solana/kit";
import type { TokenDelta, TransactionError, TransactionOutcome } from "../../solana/chain.ts";
import {
  decodeLookupTable,
  LOOKUP_TABLE_PROGRAM,
} from "../../solana/programs/address-lookup-table.ts";
import { RENT_SYSVAR, SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import type { TransactionErrorName } from "../../solana/transaction-errors.ts";
import {
  type AccountState,
  type Overlay,
  type ReadAccount,
  createOverlay,
  rentExemptMinimum,
  rentPerByteOf,
} from "./account-state.ts";
import { readAddress, readU64, readU32, SYSVAR_OWNER } from "./bytes.ts";
import { InstructionFailure } from "./instruction-failure.ts";
import { type TransactionRun, runInstruction } from "./invocation.ts";
import type { AccountMeta, ChainTime, Program, RuntimeInstruction } from "./program.ts";
import type { WireTransaction } from "./wire-transaction.ts";
import { TOKEN_ACCOUNT_SIZE, TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import type { TransactionSettings } from "../../solana/transaction.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../solana/programs/compute-budget.ts";

const UNITS_PER_INSTRUCTION = 200_000n;
const MAX_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** Fee in lamports per signature. */
const LAMPORTS_PER_SIGNATURE = 5_000n;

interface ComputeBudget {
  readonly unitLimit: bigint;
  readonly priorityFeeLamports: bigint;
}

/** Reads the transaction's compute budget; undefined when a budget instruction is malformed or repeated. */
function readComputeBudget(instructions: readonly RuntimeInstruction[]): ComputeBudget | undefined {
  let unitLimit: bigint | undefined;
  let microLamportsPerUnit: bigint | undefined;
  let others = 0n;
  for (const { programId, data } of instructions) {
    if (programId !== COMPUTE_BUDGET_PROGRAM) {
      others += 1n;
      continue;
    }
    if (data[0] === 2 && data.length === 5 && unitLimit === undefined) {
      unitLimit = BigInt(readU32(data, 1));
    } else if (data[0] === 3 && data.length === 9 && microLamportsPerUnit === undefined) {
      microLamportsPerUnit = readU64(data, 1);
    } else if (data[0] !== 1 && data[0] !== 4) {
      return undefined;
    }
  }
  const requested = unitLimit ?? others * UNITS_PER_INSTRUCTION;
  const limit = requested < MAX_UNITS ? requested : MAX_UNITS;
  const microLamports = limit * (microLamportsPerUnit ?? 0n);
  return {
    unitLimit: limit,
    priorityFeeLamports: (microLamports + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS,
  };
}

/** Returns the compute budget of a version 1 header; absent values are 0, and budget instructions are ignored. */
function budgetOfSettings(settings: TransactionSettings): ComputeBudget {
  const limit = BigInt(settings.computeUnitLimit ?? 0);
  return {
    unitLimit: limit < MAX_UNITS ? limit : MAX_UNITS,
    priorityFeeLamports: settings.priorityFeeLamports ?? 0n,
  };
}

function holdingOf(state: AccountState | undefined) {
  if (state?.owner !== TOKEN_PROGRAM || state.data.length !== TOKEN_ACCOUNT_SIZE) return undefined;
  return {
    mint: readAddress(state.data, 0),
    owner: readAddress(state.data, 32),
    amount: readU64(state.data, 64),
  };
}

/** Returns the balance change of every token account in the transaction, including created and closed ones. */
function tokenDeltasOf(
  metas: readonly AccountMeta[],
  before: ReadAccount,
  after: Overlay,
): readonly TokenDelta[] {
  return metas.flatMap(({ address, isWritable }) => {
    if (!isWritable) return [];
    const earlier = holdingOf(before(address));
    const later = holdingOf(after.get(address));
    const holding = later ?? earlier;
    if (holding === undefined) return [];
    const delta = (later?.amount ?? 0n) - (earlier?.amount ?? 0n);
    if (delta === 0n) return [];
    return [{ account: address, mint: holding.mint, owner: holding.owner, delta }];
  });
}

const MAX_ACCOUNTS = 64;

/** Result of an execution. `charged` tells whether the transaction was executed, so that its fee is due. */
export interface Execution {
  readonly charged: boolean;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly feeLamports: bigint;
  readonly changes: ReadonlyMap<Address, AccountState>;
  readonly lamportDeltas: ReadonlyMap<Address, bigint>;
  readonly tokenDeltas: readonly TokenDelta[];
  readonly touched: readonly Address[];
}

export interface ExecutionInput {
  readonly wire: WireTransaction;
  readonly read: ReadAccount;
  readonly programs: ReadonlyMap<Address, Program>;
  readonly time: ChainTime;
}

const NOTHING = new Map<Address, never>();

function refused(name: TransactionErrorName, touched: readonly Address[] = []): Execution {
  return {
    charged: false,
    error: { kind: "transaction", name },
    logs: [],
    unitsConsumed: 0n,
    feeLamports: 0n,
    changes: NOTHING,
    lamportDeltas: NOTHING,
    tokenDeltas: [],
    touched,
  };
}

/** Resolves lookup tables and privileges; a returned string is the node's reason for refusal. */
function resolveAccounts({
  wire,
  read,
  programs,
  time,
}: ExecutionInput): AccountMeta[] | TransactionErrorName {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of wire.lookups) {
    const table = read(lookup.table);
    if (table === undefined || table.lamports === 0n) return "AddressLookupTableNotFound";
    if (table.owner !== LOOKUP_TABLE_PROGRAM) return "InvalidAddressLookupTableOwner";
    const decoded = decodeLookupTable(table.data);
    if (decoded === null) return "InvalidAddressLookupTableData";
    const all = decoded.addresses;
    const usable = time.slot > decoded.extendedSlot ? all.length : decoded.extendedFrom;
    for (const index of [...lookup.writableIndexes, ...lookup.readonlyIndexes]) {
      if (index >= usable) return "InvalidAddressLookupTableIndex";
    }
    writable.push(...lookup.writableIndexes.flatMap((index) => all[index] ?? []));
    readonly.push(...lookup.readonlyIndexes.flatMap((index) => all[index] ?? []));
  }
  const { staticAccounts, signerCount, readonlySignerCount, readonlyNonSignerCount } = wire;
  const called = new Set(wire.instructions.map(({ programIndex }) => programIndex));
  const isReserved = (address: Address) =>
    programs.has(address) || read(address)?.owner === SYSVAR_OWNER;
  const metas = staticAccounts.map((address, index) => ({
    address,
    isSigner: index < signerCount,
    isWritable:
      !called.has(index) &&
      !isReserved(address) &&
      (index < signerCount
        ? index < signerCount - readonlySignerCount
        : index < staticAccounts.length - readonlyNonSignerCount),
  }));
  for (const address of writable) {
    metas.push({ address, isSigner: false, isWritable: !isReserved(address) });
  }
  for (const address of readonly) metas.push({ address, isSigner: false, isWritable: false });
  if (metas.length > MAX_ACCOUNTS) return "TooManyAccountLocks";
  if (new Set(metas.map(({ address }) => address)).size !== metas.length) {
    return "AccountLoadedTwice";
  }
  return metas;
}

function resolveInstructions(wire: WireTransaction, metas: readonly AccountMeta[]) {
  return wire.instructions.map(({ programIndex, accountIndexes, data }): RuntimeInstruction => {
    const program = metas[programIndex];
    if (program === undefined) throw new Error("Program index checked when parsed");
    return {
      programId: program.address,
      accounts: accountIndexes.flatMap((index) => metas[index] ?? []),
      data,
    };
  });
}

function isRentPaying({ lamports, data }: AccountState, perByte: bigint): boolean {
  return lamports > 0n && lamports < rentExemptMinimum(data.length, perByte);
}

/** Charges the fee; a returned string is the node's reason to refuse the payer. */
function chargeFee(
  accounts: Overlay,
  payer: Address,
  fee: bigint,
  perByte: bigint,
): TransactionErrorName | undefined {
  const state = accounts.get(payer);
  if (state.lamports === 0n) return "AccountNotFound";
  if (state.owner !== SYSTEM_PROGRAM || state.data.length > 0) return "InvalidAccountForFee";
  if (state.lamports < fee) return "InsufficientFundsForFee";
  const next = { ...state, lamports: state.lamports - fee };
  if (isRentPaying(next, perByte) && !isRentPaying(state, perByte))
    return "InsufficientFundsForRent";
  accounts.set(payer, next);
  return undefined;
}

function runAll(run: TransactionRun, instructions: readonly RuntimeInstruction[]) {
  for (const [index, instruction] of instructions.entries()) {
    try {
      runInstruction(run, instruction);
    } catch (error) {
      if (!(error instanceof InstructionFailure)) throw error;
      const base = { kind: "instruction" as const, name: error.failure, instructionIndex: index };
      return error.code === undefined ? base : { ...base, code: error.code };
    }
  }
  return null;
}

function leavesRentUnpaid(
  metas: readonly AccountMeta[],
  before: ReadAccount,
  after: Overlay,
  perByte: bigint,
) {
  return metas.some(({ address, isWritable }) => {
    const state = after.get(address);
    if (!isWritable || !isRentPaying(state, perByte)) return false;
    const earlier = before(address);
    const wasPaying =
      earlier !== undefined &&
      isRentPaying(earlier, perByte) &&
      earlier.data.length === state.data.length;
    return !wasPaying || state.lamports > (earlier?.lamports ?? 0n);
  });
}

function lamportDeltasOf(metas: readonly AccountMeta[], before: ReadAccount, after: Overlay) {
  const deltas = new Map<Address, bigint>();
  for (const { address, isWritable } of metas) {
    if (!isWritable) continue;
    const delta = after.get(address).lamports - (before(address)?.lamports ?? 0n);
    if (delta !== 0n) deltas.set(address, delta);
  }
  return deltas;
}

/**
 * Executes one transaction on top of `read`, atomically except for the fee.
 *
 * The caller checks signatures, blockhash and size.
 */
export function executeTransaction(input: ExecutionInput): Execution {
  const { wire, read, programs, time } = input;
  const metas = resolveAccounts(input);
  if (typeof metas === "string") return refused(metas);
  const instructions = resolveInstructions(wire, metas);
  const touched = metas.map(({ address }) => address);
  if (instructions.some(({ programId }) => !programs.has(programId))) {
    return refused("ProgramAccountNotFound", touched);
  }
  const { settings } = wire;
  // Program sizes are not modelled: a limit of zero is too small for any program, every other limit is sufficient
  if (settings !== null && (settings.loadedAccountsBytes ?? 0) === 0) {
    return refused("MaxLoadedAccountsDataSizeExceeded", touched);
  }
  const budget = settings === null ? readComputeBudget(instructions) : budgetOfSettings(settings);
  const payer = metas[0]?.address;
  if (budget === undefined || payer === undefined) return refused("SanitizeFailure", touched);

  const feeLamports =
    LAMPORTS_PER_SIGNATURE * BigInt(wire.signerCount) + budget.priorityFeeLamports;
  const paid = createOverlay(read);
  const perByte = rentPerByteOf(paid.get(RENT_SYSVAR).data);
  const refusal = chargeFee(paid, payer, feeLamports, perByte);
  if (refusal !== undefined) return refused(refusal, touched);

  const accounts = createOverlay((address) => paid.get(address));
  const logs: string[] = [];
  const run = { accounts, programs, time, logs, unitLimit: budget.unitLimit, unitsConsumed: 0n };
  let error: TransactionError | null = runAll(run, instructions);
  if (error === null && leavesRentUnpaid(metas, read, accounts, perByte)) {
    error = { kind: "transaction", name: "InsufficientFundsForRent" };
  }
  if (error === null) for (const [address, state] of accounts.changes) paid.set(address, state);
  return {
    charged: true,
    error,
    logs,
    unitsConsumed: run.unitsConsumed,
    feeLamports,
    changes: paid.changes,
    lamportDeltas: lamportDeltasOf(metas, read, paid),
    tokenDeltas: tokenDeltasOf(metas, read, paid),
    touched,
  };
}

/** Returns an execution's outcome as a node reports it. */
export function outcomeOf(
  wire: WireTransaction,
  execution: Execution,
  time: ChainTime,
): TransactionOutcome {
  return {
    signature: wire.signature,
    slot: time.slot,
    blockTime: time.unixTime,
    error: execution.error,
    logs: execution.logs,
    feeLamports: execution.feeLamports,
    ...(wire.staticAccounts[0] === undefined ? {} : { feePayer: wire.staticAccounts[0] }),
    lamportDeltas: execution.lamportDeltas,
    tokenDeltas: execution.tokenDeltas,
  };
}
