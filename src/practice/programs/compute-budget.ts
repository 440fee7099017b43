import { COMPUTE_BUDGET_PROGRAM } from "../../solana/programs/compute-budget.ts";
import type { Program } from "../runtime/program.ts";

/** The Compute Budget program does nothing when executed: the runtime has already read its instructions. */
export const computeBudgetProgram: Program = {
  address: COMPUTE_BUDGET_PROGRAM,
  builtIn: true,
  units: () => 150n,
  execute: () => undefined,
};
