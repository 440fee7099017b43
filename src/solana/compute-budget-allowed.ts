import type { Instruction } from "@solana/kit";
import { MAX_COMPUTE_UNITS, MAX_UNIT_PRICE_MICRO_LAMPORTS } from "./compute-limit.ts";
import {
  COMPUTE_BUDGET_PROGRAM,
  readComputeUnitLimit,
  readComputeUnitPrice,
} from "./programs/compute-budget.ts";

/** Returns why the fee payer must not accept these compute-budget instructions, or null when it may. */
export function refuseComputeBudget(instructions: readonly Required<Instruction>[]): string | null {
  const seen = new Set<number>();
  for (const instruction of instructions) {
    const { programAddress, accounts, data } = instruction;
    if (programAddress !== COMPUTE_BUDGET_PROGRAM) return "it is no compute budget";
    if (accounts.length > 0) return "a compute budget names accounts";
    const kind = data[0] ?? 0;
    if (seen.has(kind)) return "a compute budget is set twice";
    seen.add(kind);
    const units = readComputeUnitLimit(instruction);
    const price = readComputeUnitPrice(instruction);
    if (units === null && price === null) return "the compute budget is of an unknown kind";
    if ((units ?? 0) > MAX_COMPUTE_UNITS) return "the compute limit is too high";
    if ((price ?? 0n) > MAX_UNIT_PRICE_MICRO_LAMPORTS) return "the priority fee is too high";
  }
  return null;
}
