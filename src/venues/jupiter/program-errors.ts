import type { ProgramErrors } from "../../solana/program-errors.ts";
import { JUPITER_PROGRAM } from "./profile.ts";

/** What the swap program's own error codes mean. Source: Jupiter v6's interface */
export const jupiterErrors: ProgramErrors = {
  programId: JUPITER_PROGRAM,
  errors: {
    6000: ["EmptyRoute", "The swap has no route."],
    6001: ["SlippageToleranceExceeded", "The price moved beyond the slippage tolerance."],
    6002: ["InvalidCalculation", "The swap's amounts do not add up."],
  },
};
