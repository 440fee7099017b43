import type { InstructionFailure } from "../../runtime/instruction-failure.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { DRIFT_ERRORS } from "../../../venues/drift/program-errors.ts";
import { anchorError } from "../anchor.ts";

/** Errors that our own transactions never cause; the venue names all others. */
const OTHER_CODES = {
  BnConversionError: 6020,
  OrderNotTriggerable: 6111,
  OrderDidNotSatisfyTriggerCondition: 6112,
} as const;

type VenueError = (typeof DRIFT_ERRORS)[keyof typeof DRIFT_ERRORS][0];

export type ExchangeError = VenueError | keyof typeof OTHER_CODES;

const CODES = new Map<string, number>([
  ...Object.entries(DRIFT_ERRORS).map(
    ([code, [name]]) => [name, Number.parseInt(code, 10)] as const,
  ),
  ...Object.entries(OTHER_CODES),
]);

/** Texts that are not the error's name. */
const TEXTS: Partial<Record<ExchangeError, string>> = {
  InsufficientDeposit: "Insufficient deposit",
  InsufficientCollateral: "Insufficient collateral",
  MaxNumberOfPositions: "Max number of positions taken",
  UserHasNoPositionInMarket: "User Has No Position In Market",
  MathError: "Math Error",
  BnConversionError: "Conversion to u128/u64 failed with an overflow or underflow",
  UnableToLoadOracle: "Unable To Load Oracles",
  PriceBandsBreached: "Price Bands Breached",
  ExchangePaused: "Exchange is paused",
  ReferrerStatsNotFound: "ReferrerNotFound",
  InvalidFundingProfitability: "AMM funding out of bounds pnl",
  CastingFailure: "Casting Failure",
  PlacePostOnlyLimitFailure: "Failed to Place Post-Only Limit Order",
  OrderAmountTooSmall: "Order Amount Too Small",
  MaxNumberOfOrders: "Max number of orders taken",
  OrderDoesNotExist: "Order does not exist",
  OrderNotOpen: "Order not open",
  UnableToLoadAccountLoader: "Unable to load AccountLoader",
  TradeSizeTooLarge: "Trade Size Too Large",
  UserOrderIdAlreadyInUse: "User Order Id Already In Use",
  InvalidMarginRatio: "Invalid Margin Ratio",
  UnableToLoadPerpMarketAccount: "UnableToLoadMarketAccount",
  MarketPlaceOrderPaused: "the Market status doesnt allow placing orders",
  MarketFillOrderPaused: "the Market status doesnt allow filling orders",
  UserCantBeDeleted: "User Cant Be Deleted",
  ReduceOnlyWithdrawIncreasedRisk: "Reduce Only Withdraw Increased Risk",
  MaxOpenInterest: "Max Open Interest",
  InvalidMarketStatusToSettlePnl: "Invalid Market Status to Settle Perp Pnl",
  MarketBeingInitialized: "Market Being Initialized",
  InvalidUserSubAccountId: "Invalid Sub Account Id",
  InvalidTriggerOrderCondition: "Invalid Trigger Order Condition",
  InvalidSpotPosition: "Invalid Spot Position",
  UnableToGetLimitPrice: "Unable To Get Limit Price",
  FailedUnwrap: "Failed Unwrap",
  MaxNumberOfUsers: "Max Number Of Users",
  UserStatsWrongMutability: "UserWrongMutability",
  InvalidUserStatsAccount: "InvalidUserAccount",
};

/** Logs the cause and the error, and returns the failure to throw. */
function exchangeFailure(
  context: InstructionContext,
  name: ExchangeError,
  detail?: string,
): InstructionFailure {
  const code = CODES.get(name);
  if (code === undefined) throw new Error(`The exchange has no error ${name}`);
  if (detail !== undefined) context.log(detail);
  return anchorError(context, { name, code, message: TEXTS[name] ?? name });
}

/** A refusal raised where no instruction context is available; the instruction converts it into its failure. */
export class ExchangeRefusal extends Error {
  override readonly name = "ExchangeRefusal";
  readonly error: ExchangeError;
  /** Text the program logs before the error. */
  readonly detail: string | undefined;
  constructor(error: ExchangeError, detail?: string) {
    super(error);
    this.error = error;
    this.detail = detail;
  }
}

/** Throws an `ExchangeRefusal` with the error unless the condition holds. */
export function demand(
  condition: boolean,
  error: ExchangeError,
  detail?: string,
): asserts condition {
  if (!condition) throw new ExchangeRefusal(error, detail);
}

/** Returns the instruction with its refusals converted into failures, logged as Anchor does. */
export function refusing(run: (context: InstructionContext) => void) {
  return (context: InstructionContext): void => {
    try {
      run(context);
    } catch (error) {
      if (error instanceof ExchangeRefusal)
        throw exchangeFailure(context, error.error, error.detail);
      throw error;
    }
  };
}
