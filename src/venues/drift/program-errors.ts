import type { ProgramErrors } from "../../solana/encoding/error-table.ts";
import { DRIFT_ERRORS } from "./error-words.ts";
import type { DriftInstance } from "./instance.ts";

/** Returns the exchange's error table. */
export function driftErrors(instance: Pick<DriftInstance, "programId">): ProgramErrors {
  return { programId: instance.programId, errors: DRIFT_ERRORS };
}
