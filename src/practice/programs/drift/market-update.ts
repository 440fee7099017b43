import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { MARKET_STATUS } from "../../../venues/drift/layout-spot-market.ts";
import type { DriftState } from "../../../venues/drift/layout-state.ts";
import type { ChainTime } from "../../runtime/program.ts";
import { reservePrice, updateSpreads } from "./curve.ts";
import { demand } from "./exchange-failures.ts";
import type { ExchangeMaps } from "./exchange-maps.ts";
import { abs } from "./integers.ts";
import { updateOracleAverages } from "./market-averages.ts";
import { judgeOracle } from "./oracle-validity.ts";

/** Largest deviation of the reserves from their product. */
const MAX_ROUNDING = 15n;

const MAX_NET_POSITION = 100_000_000_000_000_000n;
const SPREAD_PRECISION = 1_000_000;

/** Updates a market to the present price before a trade: averages, spreads and the validity of the price. */
export function updateMarket(
  market: DriftPerpMarket,
  state: DriftState,
  maps: ExchangeMaps,
  time: ChainTime,
): void {
  const { amm } = market;
  const oracle = maps.oracle(amm.oracle);
  if (market.status >= MARKET_STATUS.settlement) return;
  const average = amm.historicalOracleData.lastOraclePriceTwap;
  const validity = judgeOracle(state, oracle, average, market.contractTier);
  updateOracleAverages(market, time.unixTime, oracle, reservePrice(amm));
  amm.lastOracleValid = validity === "valid";
  if (amm.lastOracleValid) amm.lastUpdateSlot = time.slot;
  updateSpreads(amm);
}

function demandCurve({ amm }: DriftPerpMarket): void {
  const isPegged = amm.pegMultiplier > 0n;
  const isAboveOne = amm.sqrtK >= amm.baseAssetReserve || amm.sqrtK >= amm.quoteAssetReserve;
  const quote = (amm.sqrtK * amm.sqrtK) / amm.baseAssetReserve;
  const isOnCurve = abs(quote - amm.quoteAssetReserve) <= MAX_ROUNDING;
  demand(isPegged && isAboveOne && isOnCurve, "InvalidAmmDetected");
  const net = amm.baseAssetAmountWithAmm;
  const offBalance = amm.quoteAssetReserve - amm.terminalQuoteAssetReserve;
  const isBalanced = net > 0n ? offBalance >= 0n : net < 0n ? offBalance <= 0n : offBalance === 0n;
  demand(isBalanced, "InvalidAmmDetected");
}

function demandSpreads({ amm, marginRatioInitial }: DriftPerpMarket): void {
  const total = amm.longSpread + amm.shortSpread;
  demand(total >= amm.baseSpread && total <= SPREAD_PRECISION, "InvalidAmmDetected");
  if (amm.baseSpread === 0) return;
  const isBidBelow =
    amm.bidBaseAssetReserve >= amm.baseAssetReserve &&
    amm.bidQuoteAssetReserve <= amm.quoteAssetReserve;
  const isAskAbove =
    amm.askBaseAssetReserve <= amm.baseAssetReserve &&
    amm.askQuoteAssetReserve >= amm.quoteAssetReserve;
  demand(isBidBelow && isAskAbove, "InvalidAmmDetected");
  const isBounded = amm.maxSpread > amm.baseSpread && amm.maxSpread < marginRatioInitial * 100;
  demand(isBounded, "InvalidAmmDetected");
}

/** Refuses with `InvalidAmmDetected` a fill in a market with inconsistent reserves. */
export function demandSoundMarket(market: DriftPerpMarket): void {
  const { amm } = market;
  const { baseAssetAmountLong: long, baseAssetAmountShort: short } = amm;
  const isOnStep = long % amm.orderStepSize === 0n && short % amm.orderStepSize === 0n;
  demand(isOnStep, "InvalidPositionDelta");
  const net = amm.baseAssetAmountWithAmm;
  demand(long + short === net + amm.baseAssetAmountWithUnsettledLp, "InvalidAmmDetected");
  demand(net <= MAX_NET_POSITION, "InvalidAmmDetected");
  const isReducing = market.status === MARKET_STATUS.reduceOnly;
  demand(isReducing || amm.sqrtK > abs(net), "InvalidAmmDetected");
  const { maxRevenueWithdrawPerPeriod, revenueWithdrawSinceLastSettle } = market.insuranceClaim;
  const isWithin = maxRevenueWithdrawPerPeriod >= abs(revenueWithdrawSinceLastSettle);
  demand(isWithin, "InvalidAmmDetected");
  demandCurve(market);
  demandSpreads(market);
}
