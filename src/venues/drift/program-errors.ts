import type { ProgramErrors } from "../../solana/encoding/error-table.ts";
import { DRIFT_ERRORS } from "./error-words.ts";
import type { DriftInstance } from "./instance.ts";

/** Returns what the exchange's own error codes mean. */
export function driftErrors(instance: Pick<DriftInstance, "programId">): ProgramErrors {
  return { programId: instance.programId, errors: DRIFT_ERRORS };
}
