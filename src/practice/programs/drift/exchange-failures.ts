import type { InstructionFailure } from "../../runtime/instruction-failure.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { anchorError } from "../anchor.ts";

/** The exchange's errors that can occur in our subset: number and words. */
const EXCHANGE_ERRORS = {
  InsufficientDeposit: [6002, "Insufficient deposit"],
  InsufficientCollateral: [6003, "Insufficient collateral"],
  MaxNumberOfPositions: [6005, "Max number of positions taken"],
  UserHasNoPositionInMarket: [6010, "User Has No Position In Market"],
  ExchangePaused: [6024, "Exchange is paused"],
  InvalidOracle: [6035, "InvalidOracle"],
  OracleNotFound: [6036, "OracleNotFound"],
  CastingFailure: [6041, "Casting Failure"],
  InvalidOrderMarketType: [6044, "InvalidOrderMarketType"],
  InvalidOrderMinOrderSize: [6056, "InvalidOrderMinOrderSize"],
  OrderAmountTooSmall: [6059, "Order Amount Too Small"],
  MaxNumberOfOrders: [6060, "Max number of orders taken"],
  OrderDoesNotExist: [6061, "Order does not exist"],
  PerpMarketNotFound: [6078, "PerpMarketNotFound"],
  SpotMarketNotFound: [6087, "SpotMarketNotFound"],
  SpotMarketInsufficientDeposits: [6092, "SpotMarketInsufficientDeposits"],
  DailyWithdrawLimit: [6128, "DailyWithdrawLimit"],
  UserCantBeDeleted: [6152, "User Cant Be Deleted"],
  ReduceOnlyWithdrawIncreasedRisk: [6153, "Reduce Only Withdraw Increased Risk"],
  InvalidUserSubAccountId: [6214, "Invalid Sub Account Id"],
  MaxNumberOfUsers: [6224, "Max Number Of Users"],
  CantPayUserInitFee: [6256, "CantPayUserInitFee"],
  NoUnsettledPnl: [6259, "NoUnsettledPnl"],
} as const;

export type ExchangeError = keyof typeof EXCHANGE_ERRORS;

/** Logs what led to the error and the error, and returns the failure to throw. */
export function exchangeFailure(
  context: InstructionContext,
  name: ExchangeError,
  detail?: string,
): InstructionFailure {
  const [code, message] = EXCHANGE_ERRORS[name];
  if (detail !== undefined) context.log(detail);
  return anchorError(context, { name, code, message });
}

/** Fails with the error unless the condition holds. */
export function ensure(
  context: InstructionContext,
  condition: boolean,
  name: ExchangeError,
  detail?: string,
): asserts condition {
  if (!condition) throw exchangeFailure(context, name, detail);
}
