import type { ProgramErrors } from "../../solana/error-table.ts";
import { DRIFT_ERRORS } from "./error-words.ts";
import type { DriftProfile } from "./profile.ts";

/** Returns what the exchange's own error codes mean. */
export function driftErrors(profile: Pick<DriftProfile, "programId">): ProgramErrors {
  return { programId: profile.programId, errors: DRIFT_ERRORS };
}
