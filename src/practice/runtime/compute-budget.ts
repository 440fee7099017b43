import type { TransactionSettings } from "../../solana/transaction-settings.ts";
import type { RuntimeInstruction } from "./program.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../solana/programs/compute-budget.ts";
import { readU32, readU64 } from "./bytes.ts";

const UNITS_PER_INSTRUCTION = 200_000n;
const MAX_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** Fee in lamports per signature. */
export const LAMPORTS_PER_SIGNATURE = 5_000n;

export interface ComputeBudget {
  readonly unitLimit: bigint;
  readonly priorityFeeLamports: bigint;
}

/** Reads the transaction's compute budget; undefined when a budget instruction is malformed or repeated. */
export function readComputeBudget(
  instructions: readonly RuntimeInstruction[],
): ComputeBudget | undefined {
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
export function budgetOfSettings(settings: TransactionSettings): ComputeBudget {
  const limit = BigInt(settings.computeUnitLimit ?? 0);
  return {
    unitLimit: limit < MAX_UNITS ? limit : MAX_UNITS,
    priorityFeeLamports: settings.priorityFeeLamports ?? 0n,
  };
}
