import type { ProgramErrors } from "../../solana/encoding/error-table.ts";
import { JUPITER_PROGRAM } from "./instance.ts";

const ROUTE = "The swap's route is not one the router's program takes. Please try again.";
const ACCOUNTS = "The swap was shown an account it did not expect. Please try again.";

/** Error table of the swap program. Source: Jupiter v6's interface */
export const jupiterErrors: ProgramErrors = {
  programId: JUPITER_PROGRAM,
  errors: {
    6000: ["EmptyRoute", "The swap has no route."],
    6001: ["SlippageToleranceExceeded", "The price moved beyond the slippage tolerance."],
    6002: ["InvalidCalculation", "The swap's amounts do not add up."],
    6003: ["MissingPlatformFeeAccount", ACCOUNTS],
    6004: ["InvalidSlippage", "The swap's slippage is not one the router's program takes."],
    6005: ["NotEnoughPercent", ROUTE],
    6006: ["InvalidInputIndex", ROUTE],
    6007: ["InvalidOutputIndex", ROUTE],
    6008: ["NotEnoughAccountKeys", ACCOUNTS],
    6009: ["NonZeroMinimumOutAmountNotSupported", ROUTE],
    6010: ["InvalidRoutePlan", ROUTE],
    6011: ["InvalidReferralAuthority", ACCOUNTS],
    6012: ["LedgerTokenAccountDoesNotMatch", ACCOUNTS],
    6013: ["InvalidTokenLedger", ACCOUNTS],
    6014: ["IncorrectTokenProgramID", ACCOUNTS],
    6015: ["TokenProgramNotProvided", ACCOUNTS],
    6016: ["SwapNotSupported", "An exchange on the swap's route is not supported any more."],
    6017: ["ExactOutAmountNotMatched", "The swap's amounts do not add up."],
    6018: ["SourceAndDestinationMintCannotBeTheSame", "A token cannot be swapped for itself."],
    6019: ["InvalidMint", ACCOUNTS],
    6020: ["InvalidProgramAuthority", ACCOUNTS],
    6021: ["InvalidOutputTokenAccount", ACCOUNTS],
    6022: ["InvalidFeeWallet", ACCOUNTS],
    6023: ["InvalidAuthority", ACCOUNTS],
    6024: ["InsufficientFunds", "There is not enough of the token for this."],
    6025: ["InvalidTokenAccount", ACCOUNTS],
    6026: ["BondingCurveAlreadyCompleted", "An exchange on the swap's route has closed."],
  },
};
