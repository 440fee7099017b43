import { COMPUTE_BUDGET_PROGRAM } from "../../solana/programs/compute-budget.ts";
import type { Program } from "../runtime/program.ts";

/** Compute Budget does nothing when it runs: the runtime has read its instructions before. */
export const computeBudgetProgram: Program = {
  address: COMPUTE_BUDGET_PROGRAM,
  builtIn: true,
  units: () => 150n,
  execute: () => undefined,
};
