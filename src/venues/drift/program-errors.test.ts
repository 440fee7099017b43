import { describe, expect, it } from "vitest";
import { explainFailure } from "../../solana/program-errors.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";
import { driftErrors } from "./program-errors.ts";

/**
 * Codes that the functions behind our instructions can return, collected from the public source of version 2.84 by
 * following every call from their handlers and account constraints.
 */
const REACHABLE: readonly (readonly [code: number, name: string])[] = [
  [6002, "InsufficientDeposit"],
  [6003, "InsufficientCollateral"],
  [6005, "MaxNumberOfPositions"],
  [6010, "UserHasNoPositionInMarket"],
  [6017, "InvalidUpdateK"],
  [6019, "MathError"],
  [6022, "UnableToLoadOracle"],
  [6023, "PriceBandsBreached"],
  [6024, "ExchangePaused"],
  [6025, "InvalidWhitelistToken"],
  [6029, "ReferrerNotFound"],
  [6030, "ReferrerStatsNotFound"],
  [6031, "ReferrerMustBeWritable"],
  [6033, "ReferrerAndReferrerStatsAuthorityUnequal"],
  [6034, "InvalidReferrer"],
  [6035, "InvalidOracle"],
  [6036, "OracleNotFound"],
  [6038, "MaxDeposit"],
  [6040, "InvalidFundingProfitability"],
  [6041, "CastingFailure"],
  [6042, "InvalidOrder"],
  [6044, "InvalidOrderMarketType"],
  [6046, "InvalidOrderNotRiskReducing"],
  [6047, "InvalidOrderSizeTooSmall"],
  [6048, "InvalidOrderNotStepSizeMultiple"],
  [6050, "InvalidOrderIOC"],
  [6051, "InvalidOrderPostOnly"],
  [6053, "InvalidOrderTrigger"],
  [6054, "InvalidOrderAuction"],
  [6055, "InvalidOrderOracleOffset"],
  [6056, "InvalidOrderMinOrderSize"],
  [6057, "PlacePostOnlyLimitFailure"],
  [6059, "OrderAmountTooSmall"],
  [6060, "MaxNumberOfOrders"],
  [6061, "OrderDoesNotExist"],
  [6062, "OrderNotOpen"],
  [6065, "UnableToLoadAccountLoader"],
  [6066, "TradeSizeTooLarge"],
  [6069, "CouldNotDeserializeReferrer"],
  [6070, "CouldNotDeserializeReferrerStats"],
  [6071, "UserOrderIdAlreadyInUse"],
  [6073, "InvalidMarginRatio"],
  [6077, "CouldNotLoadMarketData"],
  [6078, "PerpMarketNotFound"],
  [6079, "InvalidMarketAccount"],
  [6080, "UnableToLoadPerpMarketAccount"],
  [6081, "MarketWrongMutability"],
  [6082, "UnableToCastUnixTime"],
  [6083, "CouldNotFindSpotPosition"],
  [6084, "NoSpotPositionAvailable"],
  [6086, "CouldNotLoadSpotMarketData"],
  [6087, "SpotMarketNotFound"],
  [6088, "InvalidSpotMarketAccount"],
  [6089, "UnableToLoadSpotMarketAccount"],
  [6090, "SpotMarketWrongMutability"],
  [6092, "SpotMarketInsufficientDeposits"],
  [6093, "UserMustSettleTheirOwnPositiveUnsettledPNL"],
  [6094, "CantUpdatePoolBalanceType"],
  [6095, "InsufficientCollateralForSettlingPNL"],
  [6096, "AMMNotUpdatedInSameSlot"],
  [6110, "OrderMustBeTriggeredFirst"],
  [6117, "UserIsBeingLiquidated"],
  [6123, "InvalidPositionLastFundingRate"],
  [6124, "InvalidPositionDelta"],
  [6125, "UserBankrupt"],
  [6128, "DailyWithdrawLimit"],
  [6129, "DefaultError"],
  [6132, "UnableToBurnLPTokens"],
  [6135, "InvalidSpotMarketState"],
  [6146, "MarketActionPaused"],
  [6147, "MarketPlaceOrderPaused"],
  [6148, "MarketFillOrderPaused"],
  [6149, "MarketWithdrawPaused"],
  [6150, "ProtectedAssetTierViolation"],
  [6151, "IsolatedAssetTierViolation"],
  [6152, "UserCantBeDeleted"],
  [6153, "ReduceOnlyWithdrawIncreasedRisk"],
  [6154, "MaxOpenInterest"],
  [6157, "MarginTradingDisabled"],
  [6158, "InvalidMarketStatusToSettlePnl"],
  [6159, "PerpMarketNotInSettlement"],
  [6161, "PerpMarketSettlementBufferNotReached"],
  [6162, "PerpMarketSettlementUserHasOpenOrders"],
  [6163, "PerpMarketSettlementUserHasActiveLP"],
  [6164, "UnableToSettleExpiredUserPosition"],
  [6165, "UnequalMarketIndexForSpotTransfer"],
  [6166, "InvalidPerpPositionDetected"],
  [6167, "InvalidSpotPositionDetected"],
  [6168, "InvalidAmmDetected"],
  [6169, "InvalidAmmForFillDetected"],
  [6170, "InvalidAmmLimitPriceOverride"],
  [6171, "InvalidOrderFillPrice"],
  [6173, "SpotMarketVaultInvariantViolated"],
  [6180, "InsufficientPerpPnlPool"],
  [6191, "InvalidOrderLimitPrice"],
  [6193, "InvalidAmmMaxSpreadDetected"],
  [6194, "InvalidConcentrationCoef"],
  [6202, "BlockchainClockInconsistency"],
  [6206, "InvalidMarkTwapUpdateDetected"],
  [6213, "MarketBeingInitialized"],
  [6214, "InvalidUserSubAccountId"],
  [6215, "InvalidTriggerOrderCondition"],
  [6216, "InvalidSpotPosition"],
  [6219, "UnableToGetLimitPrice"],
  [6223, "FailedUnwrap"],
  [6224, "MaxNumberOfUsers"],
  [6225, "InvalidOracleForSettlePnl"],
  [6228, "CouldNotLoadUserData"],
  [6229, "UserWrongMutability"],
  [6230, "InvalidUserAccount"],
  [6231, "CouldNotLoadUserStatsData"],
  [6232, "UserStatsWrongMutability"],
  [6233, "InvalidUserStatsAccount"],
  [6234, "UserNotFound"],
  [6235, "UnableToLoadUserAccount"],
  [6236, "UserStatsNotFound"],
  [6237, "UnableToLoadUserStatsAccount"],
  [6241, "InvalidSpotFulfillmentParams"],
  [6252, "ImpossibleFill"],
  [6254, "UserReduceOnly"],
  [6255, "InvalidMarginCalculation"],
  [6256, "CantPayUserInitFee"],
  [6259, "NoUnsettledPnl"],
  [6260, "PnlPoolCantSettleUser"],
  [6261, "OracleNonPositive"],
  [6262, "OracleTooVolatile"],
  [6263, "OracleTooUncertain"],
  [6264, "OracleStaleForMargin"],
  [6265, "OracleInsufficientDataPoints"],
  [6266, "OracleStaleForAMM"],
  [6268, "MaxBorrows"],
];

/** Further codes of version 2.163. */
const REACHABLE_LATER: typeof REACHABLE = [
  [6218, "InvalidPerpPosition"],
  [6282, "NonZeroTransferFee"],
  [6284, "InvalidPredictionMarketOrder"],
  [6289, "PlaceAndTakeOrderSuccessConditionFailed"],
  [6290, "InvalidHighLeverageModeConfig"],
  [6302, "InvalidPoolId"],
  [6303, "InvalidProtectedMakerModeConfig"],
  [6314, "CouldNotDeserializeHighLeverageModeConfig"],
  [6315, "InvalidIfRebalanceConfig"],
  [6320, "RevenueShareEscrowAuthorityMismatch"],
  [6321, "RevenueShareEscrowOrdersAccountFull"],
  [6322, "InvalidRevenueShareAccount"],
  [6324, "UnableToLoadRevenueShareAccount"],
  [6325, "InvalidConstituent"],
  [6327, "ConstituentNotFound"],
  [6328, "ConstituentCouldNotLoad"],
  [6329, "ConstituentWrongMutability"],
  [6345, "InvalidIsolatedPerpMarket"],
  [6346, "InvalidOrderScaleOrderCount"],
  [6347, "InvalidOrderScalePriceRange"],
];

/** Codes of the framework before a handler runs: for the instruction, the constraints, the accounts. */
const FRAMEWORK = [
  101, 102, 2000, 2001, 2002, 2003, 2004, 2006, 2012, 3001, 3002, 3003, 3005, 3006, 3007, 3008,
  3010, 3011, 3012,
];

const explain = (code: number) =>
  explainFailure(
    {
      error: { kind: "instruction", name: "Custom", instructionIndex: 2, code },
      logs: [`Program ${instance.programId} failed: custom program error: 0x${code.toString(16)}`],
    },
    [driftErrors(instance)],
  );

describe("the exchange's refusals", () => {
  it.each([...REACHABLE, ...REACHABLE_LATER])("%i %s has a text", (code, name) => {
    const reason = explain(code);
    expect(reason.name).toBe(name);
    expect(reason.words).toMatch(/^[A-Z][^]*\.$/);
    expect(reason.words).not.toContain(String(code));
  });

  it.each(FRAMEWORK)("%i of the framework has a text", (code) => {
    expect(explain(code).words).not.toContain(String(code));
  });

  it("shows the number of an unknown code", () => {
    expect(explain(6999).words).toContain("6999");
  });
});
