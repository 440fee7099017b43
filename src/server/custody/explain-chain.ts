import { AppError } from "../../contract/errors.ts";
import { networkUnavailable } from "../networks.ts";
import {
  ChainUnavailableError,
  TransactionRefusedError,
  type TransactionError,
} from "../../solana/chain.ts";
import { explainFailure, type ProgramErrors } from "../../solana/program-errors.ts";
import { PlanRefusedError } from "../../venues/plan-step.ts";

/** Anchor error ConstraintSeeds: another transaction has used the vault transaction's index meanwhile. */
const INDEX_TAKEN = 2006;

/** Returns a readable reason why an owner's transaction failed. */
export function explainCustodyFailure(
  error: TransactionError,
  logs: readonly string[],
  venueErrors: readonly ProgramErrors[] = [],
): string {
  if (error.code === INDEX_TAKEN) {
    return "Another transaction of this agent came first. Nothing was moved: please prepare it again.";
  }
  return explainFailure({ error, logs }, venueErrors).words;
}

/** Runs a chain access and translates its failures into catalogue errors. */
export async function askChain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw networkUnavailable(error);
    if (error instanceof PlanRefusedError) {
      throw new AppError("conflict", { message: error.message, cause: error });
    }
    if (error instanceof TransactionRefusedError) {
      throw new AppError("transaction_refused", {
        message: `${explainCustodyFailure(error.error, error.logs)} Nothing was sent.`,
        cause: error,
      });
    }
    throw error;
  }
}
