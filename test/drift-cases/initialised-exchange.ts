import type { Address } from "@solana/kit";
import {
  exchangeAccounts,
  oracleAddress,
} from "../../src/practice/programs/drift/drift-genesis.ts";
import { PRACTICE_MARKETS } from "../../src/practice/programs/drift/practice-markets.ts";
import type { AccountState } from "../../src/practice/runtime/account-state.ts";
import type { DriftPerpMarket } from "../../src/venues/drift/layout-perp-market.ts";
import { perpMarketLayout } from "../../src/venues/drift/layout-perp-market.ts";
import { priceUpdateLayout } from "../../src/venues/drift/layout-oracle.ts";
import { spotMarketLayout } from "../../src/venues/drift/layout-spot-market.ts";
import { FEE_DENOMINATOR, stateLayout } from "../../src/venues/drift/layout-state.ts";
import { derivePerpMarket, deriveSpotMarket, deriveState } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_PROFILE as IDS } from "../../src/venues/drift/profile.ts";

/** The market cases trade: SOL-PERP. */
const [SOL_MARKET] = PRACTICE_MARKETS;
if (SOL_MARKET === undefined) throw new Error("The practice exchange has no market");
export const SOL_ORACLE = oracleAddress(SOL_MARKET);
export const SOL_PERP = derivePerpMarket(IDS, SOL_MARKET.marketIndex);

/** Base assets on either side of the market maker's curve, nine decimals: one million. */
const RESERVE = 1_000_000n * 1_000_000_000n;

/** The program's own bounds of a curve: `MAX_CONCENTRATION_COEFFICIENT`, of one million. */
const CONCENTRATION = 1_414_200n;
const MILLION = 1_000_000n;

const U64_MAX = 2n ** 64n - 1n;
const ONE_DOLLAR = 1_000_000n;

type Exchange = ReadonlyMap<Address, AccountState>;

/** Returns the market with its curve standing at a price, as right after `initialize_perp_market` with that oracle price. */
export function marketAtPrice(
  market: DriftPerpMarket,
  price: bigint,
  unixTime: bigint,
): DriftPerpMarket {
  return {
    ...market,
    amm: {
      ...market.amm,
      pegMultiplier: price,
      historicalOracleData: {
        ...market.amm.historicalOracleData,
        lastOraclePrice: price,
        lastOraclePriceTwap: price,
        lastOraclePriceTwap5min: price,
        lastOraclePriceTwapTs: unixTime,
      },
      lastOracleNormalisedPrice: price,
      lastBidPriceTwap: price,
      lastAskPriceTwap: price,
      lastMarkPriceTwap: price,
      lastMarkPriceTwap5min: price,
      lastMarkPriceTwapTs: unixTime,
      lastTradeTs: unixTime,
    },
  };
}

/**
 * Returns the exchange's accounts with everything the program's own initialising instructions set and the practice
 * program does without: the curve and its prices, guard rails, divisors of fees, interest times.
 *
 * Source: `handle_initialize`, `handle_initialize_spot_market`, `handle_initialize_perp_market` of the public program.
 */
export function initialisedExchange(
  { slot, unixTime }: { readonly slot: bigint; readonly unixTime: bigint },
  price: bigint,
): Exchange {
  const accounts = new Map(exchangeAccounts(unixTime));
  const edit = <T>(
    address: Address,
    layout: { decode(data: Uint8Array): T; encode(value: T): Uint8Array },
    change: (value: T) => T,
  ): void => {
    const account = accounts.get(address);
    if (account === undefined) throw new Error("The exchange lacks an account");
    accounts.set(address, { ...account, data: layout.encode(change(layout.decode(account.data))) });
  };

  edit(deriveState(IDS), stateLayout, (state) => ({
    ...state,
    perpFeeStructure: {
      ...state.perpFeeStructure,
      feeTiers: state.perpFeeStructure.feeTiers.map((tier) => ({
        ...tier,
        makerRebateDenominator: FEE_DENOMINATOR,
        referrerRewardDenominator: FEE_DENOMINATOR,
        refereeFeeDenominator: FEE_DENOMINATOR,
      })),
      rewardNumerator: 1,
      rewardDenominator: 10,
      timeBasedRewardLowerBound: 10_000n,
      referrerRewardEpochUpperBound: U64_MAX,
      flatFillerFee: 10_000n,
    },
    markOraclePercentDivergence: MILLION / 10n,
    oracleTwap5minPercentDivergence: MILLION / 2n,
    confidenceIntervalMaxSize: 20_000n,
    tooVolatileRatio: 5n,
    liquidationMarginBufferRatio: 200,
    defaultMarketOrderTimeInForce: 60,
    defaultSpotAuctionDuration: 10,
    // No auction: an order that takes is filled in its own transaction
    minPerpAuctionDuration: 0,
  }));

  edit(deriveSpotMarket(IDS, IDS.quoteSpotMarketIndex), spotMarketLayout, (market) => ({
    ...market,
    historicalOracleData: {
      ...market.historicalOracleData,
      lastOraclePrice: ONE_DOLLAR,
      lastOraclePriceTwap: ONE_DOLLAR,
      lastOraclePriceTwap5min: ONE_DOLLAR,
    },
    // Withdrawals below it are not held to the deposits' average of the day, which starts at nothing
    withdrawGuardThreshold: U64_MAX,
    optimalUtilization: 800_000,
    optimalBorrowRate: 200_000,
    maxBorrowRate: 1_000_000,
    lastInterestTs: unixTime,
    lastTwapTs: unixTime,
    orderStepSize: 1n,
    orderTickSize: 1n,
    minOrderSize: 1n,
    nextFillRecordId: 1n,
  }));

  edit(SOL_PERP, perpMarketLayout, (market) => {
    const { amm } = marketAtPrice(market, price, unixTime);
    return {
      ...market,
      nextFundingRateRecordId: 1n,
      nextCurveRecordId: 1n,
      amm: {
        ...amm,
        baseAssetReserve: RESERVE,
        quoteAssetReserve: RESERVE,
        terminalQuoteAssetReserve: RESERVE,
        askBaseAssetReserve: RESERVE,
        askQuoteAssetReserve: RESERVE,
        bidBaseAssetReserve: RESERVE,
        bidQuoteAssetReserve: RESERVE,
        sqrtK: RESERVE,
        concentrationCoef: CONCENTRATION,
        minBaseAssetReserve: (RESERVE * MILLION) / CONCENTRATION,
        maxBaseAssetReserve: (RESERVE * CONCENTRATION) / MILLION,
        // The program wants it above the base spread and below the initial margin
        maxSpread: 10_000,
        lastUpdateSlot: slot,
        maxSlippageRatio: 50,
        maxFillReserveFraction: 100,
        // The curve stays where it is; half the base spread lies on either side
        curveUpdateIntensity: 0,
        lastFundingRateTs: unixTime,
        lastOracleValid: true,
      },
    };
  });

  edit(SOL_ORACLE, priceUpdateLayout, (oracle) => ({
    ...oracle,
    price,
    conf: price / 10_000n,
    publishTime: unixTime,
    prevPublishTime: unixTime,
    emaPrice: price,
    emaConf: price / 10_000n,
    postedSlot: slot,
  }));
  return accounts;
}
