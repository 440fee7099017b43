import type { Address } from "@solana/kit";
import type { Program } from "./runtime/program.ts";
import { STAND_INS } from "./stand-ins.ts";
import { addressLookupTableProgram } from "./programs/address-lookup-table.ts";
import { associatedTokenProgram } from "./programs/associated-token.ts";
import { computeBudgetProgram } from "./programs/compute-budget.ts";
import { squadsProgram } from "./programs/squads/squads.ts";
import { systemProgram } from "./programs/system.ts";
import { tokenProgram } from "./programs/token.ts";

/** All programs of the practice chain, by address. */
export const PROGRAMS: ReadonlyMap<Address, Program> = new Map(
  [
    systemProgram,
    tokenProgram,
    associatedTokenProgram,
    computeBudgetProgram,
    addressLookupTableProgram,
    squadsProgram,
    ...STAND_INS.map(({ program }) => program),
  ].map((program) => [program.address, program]),
);
