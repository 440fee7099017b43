import type { Instruction } from "@solana/kit";
import * as keeper from "../../src/practice/programs/drift/keeper.ts";
import type { UserAccounts } from "../../src/venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { user, withSol } from "../drift-cases/case.ts";
import { stranger } from "../squads-bench.ts";

/** The stranger's fill of the owner's order, or another's, the newest where none is named. */
export const keeperFill = (orderId: number | null, of: UserAccounts = user): Instruction =>
  keeper.keeperFill(IDS, stranger, of, orderId, withSol);

/** The stranger's trigger of the owner's order, or another's. */
export const keeperTrigger = (orderId: number, of: UserAccounts = user): Instruction =>
  keeper.keeperTrigger(IDS, stranger, of, orderId, withSol);
