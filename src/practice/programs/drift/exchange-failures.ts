import type { InstructionFailure } from "../../runtime/instruction-failure.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { anchorError } from "../anchor.ts";

/** Errors of the exchange that can occur in the supported subset: code and text. */
const EXCHANGE_ERRORS = {
  InsufficientDeposit: [6002, "Insufficient deposit"],
  InsufficientCollateral: [6003, "Insufficient collateral"],
  MaxNumberOfPositions: [6005, "Max number of positions taken"],
  UserHasNoPositionInMarket: [6010, "User Has No Position In Market"],
  MathError: [6019, "Math Error"],
  BnConversionError: [6020, "Conversion to u128/u64 failed with an overflow or underflow"],
  UnableToLoadOracle: [6022, "Unable To Load Oracles"],
  PriceBandsBreached: [6023, "Price Bands Breached"],
  ExchangePaused: [6024, "Exchange is paused"],
  ReferrerStatsNotFound: [6030, "ReferrerNotFound"],
  InvalidOracle: [6035, "InvalidOracle"],
  OracleNotFound: [6036, "OracleNotFound"],
  InvalidFundingProfitability: [6040, "AMM funding out of bounds pnl"],
  CastingFailure: [6041, "Casting Failure"],
  InvalidOrder: [6042, "InvalidOrder"],
  InvalidOrderMarketType: [6044, "InvalidOrderMarketType"],
  InvalidOrderNotRiskReducing: [6046, "InvalidOrderNotRiskReducing"],
  InvalidOrderSizeTooSmall: [6047, "InvalidOrderSizeTooSmall"],
  InvalidOrderNotStepSizeMultiple: [6048, "InvalidOrderNotStepSizeMultiple"],
  InvalidOrderIOC: [6050, "InvalidOrderIOC"],
  InvalidOrderPostOnly: [6051, "InvalidOrderPostOnly"],
  InvalidOrderTrigger: [6053, "InvalidOrderTrigger"],
  InvalidOrderAuction: [6054, "InvalidOrderAuction"],
  InvalidOrderOracleOffset: [6055, "InvalidOrderOracleOffset"],
  InvalidOrderMinOrderSize: [6056, "InvalidOrderMinOrderSize"],
  PlacePostOnlyLimitFailure: [6057, "Failed to Place Post-Only Limit Order"],
  OrderAmountTooSmall: [6059, "Order Amount Too Small"],
  MaxNumberOfOrders: [6060, "Max number of orders taken"],
  OrderDoesNotExist: [6061, "Order does not exist"],
  OrderNotOpen: [6062, "Order not open"],
  UnableToLoadAccountLoader: [6065, "Unable to load AccountLoader"],
  TradeSizeTooLarge: [6066, "Trade Size Too Large"],
  UserOrderIdAlreadyInUse: [6071, "User Order Id Already In Use"],
  InvalidMarginRatio: [6073, "Invalid Margin Ratio"],
  CouldNotLoadMarketData: [6077, "CouldNotLoadMarketData"],
  PerpMarketNotFound: [6078, "PerpMarketNotFound"],
  InvalidMarketAccount: [6079, "InvalidMarketAccount"],
  UnableToLoadPerpMarketAccount: [6080, "UnableToLoadMarketAccount"],
  MarketWrongMutability: [6081, "MarketWrongMutability"],
  CouldNotLoadSpotMarketData: [6086, "CouldNotLoadSpotMarketData"],
  SpotMarketNotFound: [6087, "SpotMarketNotFound"],
  InvalidSpotMarketAccount: [6088, "InvalidSpotMarketAccount"],
  SpotMarketWrongMutability: [6090, "SpotMarketWrongMutability"],
  SpotMarketInsufficientDeposits: [6092, "SpotMarketInsufficientDeposits"],
  UserMustSettleTheirOwnPositiveUnsettledPNL: [6093, "UserMustSettleTheirOwnPositiveUnsettledPNL"],
  InsufficientCollateralForSettlingPNL: [6095, "InsufficientCollateralForSettlingPNL"],
  OrderMustBeTriggeredFirst: [6110, "OrderMustBeTriggeredFirst"],
  OrderNotTriggerable: [6111, "OrderNotTriggerable"],
  OrderDidNotSatisfyTriggerCondition: [6112, "OrderDidNotSatisfyTriggerCondition"],
  UserIsBeingLiquidated: [6117, "UserIsBeingLiquidated"],
  InvalidPositionDelta: [6124, "InvalidPositionDelta"],
  UserBankrupt: [6125, "UserBankrupt"],
  DailyWithdrawLimit: [6128, "DailyWithdrawLimit"],
  DefaultError: [6129, "DefaultError"],
  MarketPlaceOrderPaused: [6147, "the Market status doesnt allow placing orders"],
  MarketFillOrderPaused: [6148, "the Market status doesnt allow filling orders"],
  UserCantBeDeleted: [6152, "User Cant Be Deleted"],
  ReduceOnlyWithdrawIncreasedRisk: [6153, "Reduce Only Withdraw Increased Risk"],
  MaxOpenInterest: [6154, "Max Open Interest"],
  InvalidMarketStatusToSettlePnl: [6158, "Invalid Market Status to Settle Perp Pnl"],
  InvalidPerpPositionDetected: [6166, "InvalidPerpPositionDetected"],
  InvalidAmmDetected: [6168, "InvalidAmmDetected"],
  InvalidAmmForFillDetected: [6169, "InvalidAmmForFillDetected"],
  InvalidOrderFillPrice: [6171, "InvalidOrderFillPrice"],
  SpotMarketVaultInvariantViolated: [6173, "SpotMarketVaultInvariantViolated"],
  InvalidOrderLimitPrice: [6191, "InvalidOrderLimitPrice"],
  InvalidMarkTwapUpdateDetected: [6206, "InvalidMarkTwapUpdateDetected"],
  MarketBeingInitialized: [6213, "Market Being Initialized"],
  InvalidUserSubAccountId: [6214, "Invalid Sub Account Id"],
  InvalidTriggerOrderCondition: [6215, "Invalid Trigger Order Condition"],
  InvalidSpotPosition: [6216, "Invalid Spot Position"],
  UnableToGetLimitPrice: [6219, "Unable To Get Limit Price"],
  FailedUnwrap: [6223, "Failed Unwrap"],
  MaxNumberOfUsers: [6224, "Max Number Of Users"],
  UserWrongMutability: [6229, "UserWrongMutability"],
  InvalidUserAccount: [6230, "InvalidUserAccount"],
  UserStatsWrongMutability: [6232, "UserWrongMutability"],
  InvalidUserStatsAccount: [6233, "InvalidUserAccount"],
  UnableToLoadUserAccount: [6235, "UnableToLoadUserAccount"],
  UserStatsNotFound: [6236, "UserStatsNotFound"],
  ImpossibleFill: [6252, "ImpossibleFill"],
  UserReduceOnly: [6254, "UserReduceOnly"],
  CantPayUserInitFee: [6256, "CantPayUserInitFee"],
  NoUnsettledPnl: [6259, "NoUnsettledPnl"],
  PnlPoolCantSettleUser: [6260, "PnlPoolCantSettleUser"],
} as const;

export type ExchangeError = keyof typeof EXCHANGE_ERRORS;

/** Logs the cause and the error, and returns the failure to throw. */
export function exchangeFailure(
  context: InstructionContext,
  name: ExchangeError,
  detail?: string,
): InstructionFailure {
  const [code, message] = EXCHANGE_ERRORS[name];
  if (detail !== undefined) context.log(detail);
  return anchorError(context, { name, code, message });
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

/** Fails with the error unless the condition holds. */
export function ensure(
  context: InstructionContext,
  condition: boolean,
  name: ExchangeError,
  detail?: string,
): asserts condition {
  if (!condition) throw exchangeFailure(context, name, detail);
}
