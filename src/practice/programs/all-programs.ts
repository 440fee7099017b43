import type { Address } from "@solana/kit";
import type { Program } from "../runtime/program.ts";
import { addressLookupTableProgram } from "./address-lookup-table.ts";
import { associatedTokenProgram } from "./associated-token.ts";
import { computeBudgetProgram } from "./compute-budget.ts";
import { driftProgram } from "./drift/drift.ts";
import { squadsProgram } from "./squads/squads.ts";
import { swapProgram } from "./swap/swap.ts";
import { systemProgram } from "./system.ts";
import { tokenProgram } from "./token.ts";

/** Every program the practice chain runs, by address. */
export const PROGRAMS: ReadonlyMap<Address, Program> = new Map(
  [
    systemProgram,
    tokenProgram,
    associatedTokenProgram,
    computeBudgetProgram,
    addressLookupTableProgram,
    squadsProgram,
    driftProgram,
    swapProgram,
  ].map((program) => [program.address, program]),
);
