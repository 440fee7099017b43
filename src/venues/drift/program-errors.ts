import type { ProgramErrors } from "../../solana/program-errors.ts";
import type { DriftProfile } from "./profile.ts";

/** Returns what the exchange's own error codes mean. */
export function driftErrors(profile: Pick<DriftProfile, "programId">): ProgramErrors {
  return {
    programId: profile.programId,
    errors: {
      6002: ["InsufficientDeposit", "There is not enough on the exchange for this."],
      6003: ["InsufficientCollateral", "There is not enough free collateral for this."],
      6005: ["MaxNumberOfPositions", "The account has no room for another position."],
      6007: ["MarketDelisted", "The market is no longer traded."],
      6010: ["UserHasNoPositionInMarket", "There is no position in this market."],
      6015: ["SlippageOutsideLimit", "The price moved beyond the slippage tolerance."],
      6016: ["OrderSizeTooSmall", "The order is below the market's smallest size."],
      6022: ["UnableToLoadOracle", "The market's price could not be read."],
      6023: ["PriceBandsBreached", "The price is too far from the market's reference."],
      6024: ["ExchangePaused", "The exchange is paused."],
      6078: ["PerpMarketNotFound", "A market of an open position was not part of the request."],
      6152: [
        "UserCantBeDeleted",
        "The exchange account is not empty yet, or too young to be deleted.",
      ],
      6214: ["InvalidUserSubAccountId", "This account number was used before."],
      6259: ["NoUnsettledPnl", "There is nothing to settle."],
    },
  };
}
