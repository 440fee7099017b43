import { type Address, address, getBase16Encoder } from "@solana/kit";
import { deriveAddress } from "../../../solana/encoding/pda.ts";
import { FULLY_VERIFIED, priceUpdateLayout } from "../../../solana/programs/pyth-receiver.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import {
  MARKET_STATUS,
  ORACLE_SOURCE,
  spotMarketLayout,
} from "../../../venues/drift/layout-spot-market.ts";
import { FEE_DENOMINATOR, stateLayout } from "../../../venues/drift/layout-state.ts";
import {
  derivePerpMarket,
  derivePythPullOracle,
  deriveSigner,
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveState,
} from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import { encodeUserName } from "../../../venues/drift/instructions.ts";
import { FAUCET, genesisAccount, genesisTokens, PRACTICE_QUOTE_MINT } from "../../genesis.ts";
import type { AccountState } from "../../runtime/account-state.ts";

/** Settings of one of the practice exchange's perpetual markets. */
interface PracticeMarketSettings {
  readonly asset: string;
  readonly marketIndex: number;
  /** Id of Pyth's price feed, hexadecimal. */
  readonly feedId: string;
  /** Step of an order's base amount, nine decimals, and tick of its price, six decimals. */
  readonly orderStepSize: bigint;
  readonly orderTickSize: bigint;
  /** Half of the spread around the oracle price, in millionths. */
  readonly halfSpread: number;
  /** In ten-thousandths. */
  readonly marginRatioInitial: number;
  readonly marginRatioMaintenance: number;
}

/** Steps, ticks and margin ratios follow Drift v2's main markets; 5x initial leverage everywhere. */
export const PRACTICE_MARKETS: readonly PracticeMarketSettings[] = [
  {
    asset: "SOL",
    marketIndex: 0,
    feedId: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
    orderStepSize: 10_000_000n,
    orderTickSize: 100n,
    halfSpread: 250,
    marginRatioInitial: 2_000,
    marginRatioMaintenance: 1_000,
  },
  {
    asset: "BTC",
    marketIndex: 1,
    feedId: "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43",
    orderStepSize: 100_000n,
    orderTickSize: 100_000n,
    halfSpread: 150,
    marginRatioInitial: 2_000,
    marginRatioMaintenance: 1_000,
  },
  {
    asset: "ETH",
    marketIndex: 2,
    feedId: "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace",
    orderStepSize: 1_000_000n,
    orderTickSize: 10_000n,
    halfSpread: 200,
    marginRatioInitial: 2_000,
    marginRatioMaintenance: 1_000,
  },
];

const IDS = DRIFT_V2_INSTANCE;

/** Address of Pyth's receiver program, the owner of pull price accounts the exchange accepts. */
export const ORACLE_RECEIVER = address("rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ");

/** Taker fee of 0.035 %: Drift's lowest tier after the main markets' reduction. */
const TAKER_FEE_NUMERATOR = 35;

/** Slots an order waits for a better price before the curve fills it, as on mainnet. */
const MIN_AUCTION_SLOTS = 10;

/** Quote tokens in each market's pool at genesis, which pay winning positions: 100 million. */
const POOL_TOKENS = 100_000_000n * 1_000_000n;

/** Quote tokens in all pools together, in base units. */
export const EXCHANGE_POOLS = BigInt(PRACTICE_MARKETS.length) * POOL_TOKENS;

/** Base reserve on either side of an AMM's curve, nine decimals: one million. */
const RESERVE = 1_000_000n * 1_000_000_000n;

/** Bound on the reserves' distance from their middle, in millionths. Source: the program's own bound. */
const CONCENTRATION = 1_414_200n;

/** Largest sum of the two spreads in millionths: above the base spread, below the initial margin. */
const MAX_SPREAD = 10_000;

const MILLION = 1_000_000n;
const ONE_DOLLAR = 1_000_000n;
const U64_MAX = 2n ** 64n - 1n;

/** Factor between scaled balances (nine decimals) and quote tokens (six). */
const SCALE = 1_000n;
const ONE_INTEREST = 10_000_000_000n;
const HOUR_SECONDS = 3_600n;

/** Returns the address of a practice market's oracle. */
export function oracleAddress(market: PracticeMarketSettings): Address {
  return derivePythPullOracle(IDS, new Uint8Array(getBase16Encoder().encode(market.feedId)));
}

function state(): AccountState {
  const zero = stateLayout.zero();
  const tiers = zero.perpFeeStructure.feeTiers.map((tier) => ({
    ...tier,
    feeNumerator: TAKER_FEE_NUMERATOR,
    feeDenominator: FEE_DENOMINATOR,
    makerRebateDenominator: FEE_DENOMINATOR,
    referrerRewardDenominator: FEE_DENOMINATOR,
    refereeFeeDenominator: FEE_DENOMINATOR,
  }));
  const signer = deriveAddress(IDS.programId, [IDS.signerSeed]);
  return genesisAccount(
    IDS.programId,
    stateLayout.encode({
      ...zero,
      admin: FAUCET.address,
      signer: signer.address,
      signerNonce: signer.bump,
      perpFeeStructure: {
        feeTiers: tiers,
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
      minPerpAuctionDuration: MIN_AUCTION_SLOTS,
      numberOfMarkets: PRACTICE_MARKETS.length,
      numberOfSpotMarkets: 1,
      slotsBeforeStaleForAmm: 10n,
      slotsBeforeStaleForMargin: 120n,
    }),
  );
}

function quoteMarket(unixTime: bigint): AccountState {
  const zero = spotMarketLayout.zero();
  return genesisAccount(
    IDS.programId,
    spotMarketLayout.encode({
      ...zero,
      pubkey: deriveSpotMarket(IDS, IDS.quoteSpotMarketIndex),
      mint: PRACTICE_QUOTE_MINT,
      vault: deriveSpotMarketVault(IDS, IDS.quoteSpotMarketIndex),
      name: encodeUserName("USDC"),
      oracleSource: ORACLE_SOURCE.quoteAsset,
      status: MARKET_STATUS.active,
      decimals: 6,
      depositBalance: EXCHANGE_POOLS * SCALE,
      cumulativeDepositInterest: ONE_INTEREST,
      cumulativeBorrowInterest: ONE_INTEREST,
      initialAssetWeight: 10_000,
      maintenanceAssetWeight: 10_000,
      initialLiabilityWeight: 10_000,
      maintenanceLiabilityWeight: 10_000,
      marketIndex: IDS.quoteSpotMarketIndex,
      nextDepositRecordId: 1n,
      historicalOracleData: {
        ...zero.historicalOracleData,
        lastOraclePrice: ONE_DOLLAR,
        lastOraclePriceTwap: ONE_DOLLAR,
        lastOraclePriceTwap5min: ONE_DOLLAR,
      },
      // Withdrawals below this are exempt from the limit by the deposits' daily average, which starts at zero
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
    }),
  );
}

function perpMarket(settings: PracticeMarketSettings, unixTime: bigint): AccountState {
  const zero = perpMarketLayout.zero();
  return genesisAccount(
    IDS.programId,
    perpMarketLayout.encode({
      ...zero,
      pubkey: derivePerpMarket(IDS, settings.marketIndex),
      name: encodeUserName(`${settings.asset}-PERP`),
      pnlPool: { ...zero.pnlPool, scaledBalance: POOL_TOKENS * SCALE },
      nextFillRecordId: 1n,
      nextFundingRateRecordId: 1n,
      nextCurveRecordId: 1n,
      marginRatioInitial: settings.marginRatioInitial,
      marginRatioMaintenance: settings.marginRatioMaintenance,
      // Unsettled gains do not back new exposure
      unrealizedPnlInitialAssetWeight: 0,
      unrealizedPnlMaintenanceAssetWeight: 10_000,
      marketIndex: settings.marketIndex,
      status: MARKET_STATUS.active,
      quoteSpotMarketIndex: IDS.quoteSpotMarketIndex,
      amm: {
        ...zero.amm,
        oracle: oracleAddress(settings),
        oracleSource: ORACLE_SOURCE.pythPull,
        fundingPeriod: HOUR_SECONDS,
        lastFundingRateTs: unixTime - (unixTime % HOUR_SECONDS),
        orderStepSize: settings.orderStepSize,
        orderTickSize: settings.orderTickSize,
        minOrderSize: settings.orderStepSize,
        baseSpread: settings.halfSpread * 2,
        maxSpread: MAX_SPREAD,
        longSpread: settings.halfSpread,
        shortSpread: settings.halfSpread,
        baseAssetReserve: RESERVE,
        quoteAssetReserve: RESERVE,
        terminalQuoteAssetReserve: RESERVE,
        sqrtK: RESERVE,
        // Keepers move it with the price
        pegMultiplier: ONE_DOLLAR,
        concentrationCoef: CONCENTRATION,
        minBaseAssetReserve: (RESERVE * MILLION) / CONCENTRATION,
        maxBaseAssetReserve: (RESERVE * CONCENTRATION) / MILLION,
        maxSlippageRatio: 50,
        maxFillReserveFraction: 100,
        // No dynamic adjustment: half the base spread on either side
        curveUpdateIntensity: 0,
        lastOracleValid: true,
      },
    }),
  );
}

function oracle(settings: PracticeMarketSettings): AccountState {
  return genesisAccount(
    ORACLE_RECEIVER,
    priceUpdateLayout.encode({
      ...priceUpdateLayout.zero(),
      writeAuthority: FAUCET.address,
      verificationLevel: FULLY_VERIFIED,
      feedId: getBase16Encoder().encode(settings.feedId),
      exponent: -6,
    }),
  );
}

/** Returns the exchange's own genesis accounts. */
export function exchangeAccounts(unixTime: bigint): ReadonlyMap<Address, AccountState> {
  return new Map<Address, AccountState>([
    [deriveState(IDS), state()],
    [deriveSpotMarket(IDS, IDS.quoteSpotMarketIndex), quoteMarket(unixTime)],
    [
      deriveSpotMarketVault(IDS, IDS.quoteSpotMarketIndex),
      genesisTokens(PRACTICE_QUOTE_MINT, deriveSigner(IDS), EXCHANGE_POOLS),
    ],
    ...PRACTICE_MARKETS.flatMap((settings): [Address, AccountState][] => [
      [derivePerpMarket(IDS, settings.marketIndex), perpMarket(settings, unixTime)],
      [oracleAddress(settings), oracle(settings)],
    ]),
  ]);
}
