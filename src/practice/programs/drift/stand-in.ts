import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import { derivePerpMarket } from "../../../venues/drift/pdas.ts";
import type { VenueStandIn, PracticeTime } from "../../venue-stand-in.ts";
import {
  EXCHANGE_POOLS,
  exchangeAccounts,
  oracleAddress,
  PRACTICE_MARKETS,
} from "./drift-genesis.ts";
import { upgradedExchange } from "./upgrade-exchange.ts";
import type { Program, InstructionContext } from "../../runtime/program.ts";
import {
  anchorProgram,
  accountAt,
  argumentsOf,
  constraintFailure,
  initAccount,
  loadAt,
  requireProgram,
  requireSeeds,
  requireSysvar,
  requireWritable,
  signerAt,
  store,
} from "../anchor.ts";
import { demand, refusing } from "./exchange-failures.ts";
import { settlePnl } from "./settle.ts";
import {
  cancelOrders,
  cancelOrdersByIds,
  fillPerpOrder,
  modifyOrderByUserId,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "./trading.ts";
import { triggerOrder } from "./trigger-order.ts";
import { deposit, withdraw } from "./transfers.ts";
import type { Address } from "@solana/kit";
import { priceUpdateLayout } from "../../../solana/programs/pyth-receiver.ts";
import {
  perpMarketLayout,
  type DriftPerpMarket,
} from "../../../venues/drift/layout-perp-market.ts";
import type { PriceSource } from "../../price-source.ts";
import type { AccountState, ReadAccount } from "../../runtime/account-state.ts";
import { u16Bytes, decodeOnce } from "../../runtime/bytes.ts";
import { SLOT_MS } from "../../slots.ts";
import { marketAtPrice } from "./market-at-price.ts";
import { addressBytes } from "../../../solana/encoding/address-codec.ts";
import { RENT_SYSVAR, SYSTEM_PROGRAM, transferLamports } from "../../../solana/programs/system.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import { type DriftState, stateLayout } from "../../../venues/drift/layout-state.ts";
import {
  type DriftUserStats,
  REFERRER_STATUS,
  userStatsLayout,
} from "../../../venues/drift/layout-user-stats.ts";
import {
  type DriftUser,
  isUsed,
  ORDER_STATUS,
  userLayout,
} from "../../../venues/drift/layout-user.ts";
import { call, closeProgramAccount, derive } from "../create-account.ts";
import { firstTradeAt, LEAST_AGE_SECONDS } from "../../../venues/drift/deletion-age.ts";
import { max } from "./integers.ts";
import { emitNewUser } from "./account-events.ts";
import { loadStats, loadUser, requireAuthority } from "./exchange-accounts.ts";
import { sharedAddresses } from "../../../venues/drift/shared-addresses.ts";

const deriveOwnUser = (authority: Address, subAccountId: number) =>
  derive(DRIFT_V2_INSTANCE.programId, ["user", addressBytes(authority), u16Bytes(subAccountId)]);

/**
 * Returns the limit on sub-accounts: the program stores small limits as they are and larger ones in hundreds; 0 is no
 * limit.
 */
function mostSubAccounts({ maxNumberOfSubAccounts }: DriftState): bigint {
  const most = BigInt(maxNumberOfSubAccounts);
  return most <= 5n ? most : most * 100n;
}

const MILLION = 1_000_000n;
const LAMPORTS_PER_CENT_OF_SOL = 10_000_000n;

/** Share of the account limit, in millionths, below which an account costs only its rent. */
const FREE_SHARE = 800_000n;

/**
 * Returns a new account's fee beside its rent in lamports: zero below four fifths of the account limit, then rising.
 */
function initialisationFee(state: DriftState): bigint {
  const most = mostSubAccounts(state);
  const share = (state.numberOfSubAccounts * MILLION) / (most === 0n ? 1n : most);
  if (share <= FREE_SHARE) return 0n;
  const highest = BigInt(state.maxInitializeUserFee) * LAMPORTS_PER_CENT_OF_SOL;
  return (highest * (share - FREE_SHARE)) / (MILLION - FREE_SHARE);
}

function payFee(context: InstructionContext, payer: Address, user: Address, fee: bigint): void {
  if (fee === 0n) return;
  const { lamports } = context.read(payer);
  demand(lamports >= fee, "CantPayUserInitFee", `payer lamports ${lamports} init fee ${fee}`);
  call(context, transferLamports({ from: payer, to: user }, fee));
}

function requireOwnStats(
  context: InstructionContext,
  stats: DriftUserStats,
  authority: Address,
): void {
  requireWritable(context, 1, "user_stats");
  if (stats.authority !== authority) {
    throw constraintFailure(context, "ConstraintHasOne", "user_stats");
  }
}

/** Creates the authority's statistics account. */
function initializeUserStats(context: InstructionContext): void {
  const { address } = accountAt(context, 0);
  const state = loadAt(context, 1, "state", stateLayout);
  const authority = signerAt(context, 2, "authority");
  const payer = signerAt(context, 3, "payer");
  requireSysvar(context, 4, RENT_SYSVAR, "rent");
  requireProgram(context, 5, SYSTEM_PROGRAM, "system_program");
  const derived = derive(context.programId, ["user_stats", addressBytes(authority)]);
  initAccount(context, address, "user_stats", derived, { payer, space: userStatsLayout.size });
  const now = context.time.unixTime;
  store(context, address, userStatsLayout, {
    ...userStatsLayout.zero(),
    authority,
    lastMakerVolume30dTs: now,
    lastTakerVolume30dTs: now,
    lastFillerVolume30dTs: now,
  });
  requireWritable(context, 1, "state");
  const numberOfAuthorities = state.value.numberOfAuthorities + 1n;
  const most = mostSubAccounts(state.value);
  demand(most === 0n || numberOfAuthorities <= most, "MaxNumberOfUsers");
  store(context, state.address, stateLayout, { ...state.value, numberOfAuthorities });
}

/** Creates a sub-account; numbers are used once and in order. */
function initializeUser(context: InstructionContext): void {
  const { subAccountId, name } = argumentsOf(context, driftArguments.initializeUser);
  const { address } = accountAt(context, 0);
  const stats = loadStats(context, 1);
  const state = loadAt(context, 2, "state", stateLayout);
  const authority = signerAt(context, 3, "authority");
  const payer = signerAt(context, 4, "payer");
  requireSysvar(context, 5, RENT_SYSVAR, "rent");
  requireProgram(context, 6, SYSTEM_PROGRAM, "system_program");
  const derived = deriveOwnUser(authority, subAccountId);
  initAccount(context, address, "user", derived, { payer, space: userLayout.size });
  requireOwnStats(context, stats.value, authority);
  requireWritable(context, 2, "state");
  const next = stats.value.numberOfSubAccountsCreated;
  demand(
    subAccountId === next,
    "InvalidUserSubAccountId",
    `Invalid sub account id ${subAccountId}, must be ${next}`,
  );
  const user = {
    ...userLayout.zero(),
    authority,
    delegate: SYSTEM_PROGRAM,
    name,
    subAccountId,
    nextOrderId: 1,
    nextLiquidationId: 1,
  };
  store(context, address, userLayout, user);
  store(context, stats.address, userStatsLayout, {
    ...stats.value,
    numberOfSubAccounts: stats.value.numberOfSubAccounts + 1,
    numberOfSubAccountsCreated: next + 1,
  });
  const numberOfSubAccounts = state.value.numberOfSubAccounts + 1n;
  const most = mostSubAccounts(state.value);
  demand(most === 0n || numberOfSubAccounts <= most, "MaxNumberOfUsers");
  store(context, state.address, stateLayout, { ...state.value, numberOfSubAccounts });
  emitNewUser(context, { address, value: user }, stats.value.referrer);
  payFee(context, payer, address, initialisationFee({ ...state.value, numberOfSubAccounts }));
}

function loadOwnUser(context: InstructionContext, subAccountId: number) {
  const user = loadUser(context, 0);
  const authority = signerAt(context, 1, "authority");
  requireSeeds(context, user.address, deriveOwnUser(authority, subAccountId).address, "user");
  requireWritable(context, 0, "user");
  return user;
}

/** Sets the delegate, which may trade but not withdraw. */
function updateUserDelegate(context: InstructionContext): void {
  const { subAccountId, delegate } = argumentsOf(context, driftArguments.updateUserDelegate);
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, delegate });
}

/** Sets the account's own initial margin ratio; the program accepts every value. */
function updateUserCustomMarginRatio(context: InstructionContext): void {
  const { subAccountId, marginRatio } = argumentsOf(
    context,
    driftArguments.updateUserCustomMarginRatio,
  );
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, maxMarginRatio: marginRatio });
}

function updateUserName(context: InstructionContext): void {
  const { subAccountId, name } = argumentsOf(context, driftArguments.updateUserName);
  const user = loadOwnUser(context, subAccountId);
  store(context, user.address, userLayout, { ...user.value, name });
}

/** Fails with the first reason that prevents an account's deletion. */
function requireDeletable(user: DriftUser, { referrerStatus }: DriftUserStats): void {
  const isReferrer = user.subAccountId === 0 && (referrerStatus & REFERRER_STATUS.isReferrer) !== 0;
  const referrerText = "user id 0 cant be deleted if user is a referrer";
  demand(!isReferrer, "UserCantBeDeleted", referrerText);
  const held = user.perpPositions.find(isUsed);
  const market = held?.marketIndex ?? 0;
  const perpText = `user has perp position for market ${market}`;
  demand(held === undefined, "UserCantBeDeleted", perpText);
  const spot = user.spotPositions.find(
    ({ scaledBalance, openOrders }) => scaledBalance !== 0n || openOrders !== 0,
  );
  const spotText = `user has spot position for market ${spot?.marketIndex ?? 0}`;
  demand(spot === undefined, "UserCantBeDeleted", spotText);
  const hasOrders = user.orders.some(({ status }) => status === ORDER_STATUS.open);
  demand(!hasOrders, "UserCantBeDeleted", "user has an open order");
}

/** Returns the seconds since the oldest timestamp in an authority's statistics. */
const ageOf = (stats: DriftUserStats, now: bigint): bigint => max(0n, now - firstTradeAt(stats));

/** Deletes an empty sub-account; its rent goes to the authority. */
function deleteUser(context: InstructionContext): void {
  const user = loadUser(context, 0);
  const stats = loadStats(context, 1);
  const state = loadAt(context, 2, "state", stateLayout);
  const authority = signerAt(context, 3, "authority");
  requireWritable(context, 0, "user");
  requireAuthority(context, user.value, authority);
  requireOwnStats(context, stats.value, authority);
  requireWritable(context, 2, "state");
  requireDeletable(user.value, stats.value);
  const age = ageOf(stats.value, context.time.unixTime);
  const isDue = state.value.maxInitializeUserFee === 0 || age >= LEAST_AGE_SECONDS;
  demand(
    isDue || user.value.idle,
    "UserCantBeDeleted",
    `user is not idle with fresh user stats account creation (${age} < ${LEAST_AGE_SECONDS})`,
  );

  store(context, stats.address, userStatsLayout, {
    ...stats.value,
    numberOfSubAccounts: stats.value.numberOfSubAccounts - 1,
  });
  const numberOfSubAccounts = state.value.numberOfSubAccounts - 1n;
  store(context, state.address, stateLayout, { ...state.value, numberOfSubAccounts });
  closeProgramAccount(context, user.address, authority);
}

/** Longs pay 0.00125 % of their notional per hour, about 11 % a year; the exchange pays shorts the same. */
const HOURLY_RATE_NUMERATOR = 125n;
const HOURLY_RATE_DENOMINATOR = 10_000_000n;

/** Factor between the decimals of funding rates and prices: three more. */
const FUNDING_RATE_BUFFER = 1_000n;

/** Returns the market with funding accrued for every full period since the last update. */
function accrueFunding(
  market: DriftPerpMarket,
  oraclePrice: bigint,
  unixTime: bigint,
): DriftPerpMarket {
  const { amm } = market;
  const periods = (unixTime - amm.lastFundingRateTs) / amm.fundingPeriod;
  if (periods <= 0n) return market;
  const rate =
    (oraclePrice * FUNDING_RATE_BUFFER * HOURLY_RATE_NUMERATOR) / HOURLY_RATE_DENOMINATOR;
  const accrued = rate * periods;
  return {
    ...market,
    amm: {
      ...amm,
      lastFundingRate: rate,
      lastFundingRateLong: rate,
      lastFundingRateShort: rate,
      last24hAvgFundingRate: rate,
      cumulativeFundingRateLong: amm.cumulativeFundingRateLong + accrued,
      cumulativeFundingRateShort: amm.cumulativeFundingRateShort + accrued,
      lastFundingRateTs: amm.lastFundingRateTs + periods * amm.fundingPeriod,
    },
  };
}

const ORACLES = new Map(
  PRACTICE_MARKETS.map((market) => [oracleAddress(market), market.asset] as const),
);

const MARKET_ASSETS = new Map(
  PRACTICE_MARKETS.map(
    (market) => [derivePerpMarket(DRIFT_V2_INSTANCE, market.marketIndex), market.asset] as const,
  ),
);

type Quote = NonNullable<ReturnType<PriceSource["quote"]>>;

/** Returns the slot in which a price reached the chain; the exchange fills nothing at one ten slots older. */
function postedSlot({ postedAtMs }: Quote, { slot, nowMs }: PracticeTime): bigint {
  const age = BigInt(Math.floor(Math.max(0, nowMs - (postedAtMs ?? nowMs)) / SLOT_MS));
  return slot > age ? slot - age : 0n;
}

function priced(state: AccountState, quote: Quote, time: PracticeTime): AccountState {
  const publishTime = BigInt(Math.floor(quote.publishedAtMs / 1_000));
  const data = priceUpdateLayout.encode({
    ...decodeOnce(priceUpdateLayout, state.data),
    price: quote.price,
    conf: quote.confidence,
    publishTime,
    prevPublishTime: publishTime,
    emaPrice: quote.price,
    emaConf: quote.confidence,
    postedSlot: postedSlot(quote, time),
  });
  return { ...state, data };
}

function kept(state: AccountState, quote: Quote, time: PracticeTime): AccountState {
  const market = decodeOnce(perpMarketLayout, state.data);
  const funded = accrueFunding(market, quote.price, time.unixTime);
  return { ...state, data: perpMarketLayout.encode(marketAtPrice(funded, quote.price, time)) };
}

/** All that an account as of now depends on, and the account. */
interface Made {
  readonly of: AccountState;
  readonly price: bigint;
  readonly confidence: bigint;
  readonly publishedAtSecond: number;
  readonly postedSlot: bigint;
  readonly slot: bigint;
  readonly unixTime: bigint;
  readonly next: AccountState;
}

/** Prices stand still for some milliseconds: within them the same bytes need not be made, nor decoded, again. */
const lastMade = new Map<Address, Made>();

function madeOnce(
  address: Address,
  state: AccountState,
  quote: Quote,
  time: PracticeTime,
): AccountState {
  const last = lastMade.get(address);
  const publishedAtSecond = Math.floor(quote.publishedAtMs / 1_000);
  const posted = postedSlot(quote, time);
  if (
    last?.of === state &&
    last.price === quote.price &&
    last.confidence === quote.confidence &&
    last.publishedAtSecond === publishedAtSecond &&
    last.postedSlot === posted &&
    last.slot === time.slot &&
    last.unixTime === time.unixTime
  ) {
    return last.next;
  }
  const next = ORACLES.has(address) ? priced(state, quote, time) : kept(state, quote, time);
  const { price, confidence } = quote;
  const { slot, unixTime } = time;
  const made = {
    of: state,
    price,
    confidence,
    publishedAtSecond,
    postedSlot: posted,
    slot,
    unixTime,
    next,
  };
  lastMade.set(address, made);
  return next;
}

/**
 * Returns accounts as keepers would have left them: oracles at the present price, markets at that price and with all
 * due funding.
 *
 * Nothing is written; a market's state is stored by the next trade that writes it.
 */
function withKeepers(account: ReadAccount, prices: PriceSource, time: PracticeTime): ReadAccount {
  const made = new Map<Address, AccountState>();
  return (address) => {
    const state = account(address);
    const asset = ORACLES.get(address) ?? MARKET_ASSETS.get(address);
    if (state === undefined || asset === undefined) return state;
    const known = made.get(address);
    if (known !== undefined) return known;
    const quote = prices.quote(asset, time.nowMs);
    const next = quote === undefined ? state : madeOnce(address, state, quote, time);
    made.set(address, next);
    return next;
  };
}

/**
 * A perpetuals exchange that reproduces Drift v2's build 2.84 byte for byte; compute units as measured on it.
 *
 * Users trade against its curve; it matches no orders between users and has no liquidations.
 */
const driftProgram: Program = anchorProgram(
  DRIFT_V2_INSTANCE.programId,
  [
    { name: "initialize_user_stats", units: 28_000n, run: initializeUserStats },
    { name: "initialize_user", units: 36_000n, run: initializeUser },
    { name: "update_user_delegate", units: 10_000n, run: updateUserDelegate },
    { name: "update_user_custom_margin_ratio", units: 10_000n, run: updateUserCustomMarginRatio },
    { name: "update_user_name", units: 10_000n, run: updateUserName },
    { name: "deposit", units: 38_000n, run: deposit },
    { name: "withdraw", units: 52_000n, run: withdraw },
    { name: "place_perp_order", units: 40_000n, run: placePerpOrder },
    { name: "place_and_take_perp_order", units: 120_000n, run: placeAndTakePerpOrder },
    { name: "fill_perp_order", units: 130_000n, run: fillPerpOrder },
    { name: "cancel_orders", units: 130_000n, run: cancelOrders },
    { name: "cancel_orders_by_ids", units: 130_000n, run: cancelOrdersByIds },
    { name: "modify_order_by_user_id", units: 60_000n, run: modifyOrderByUserId },
    { name: "trigger_order", units: 60_000n, run: triggerOrder },
    { name: "settle_pnl", units: 90_000n, run: settlePnl },
    { name: "delete_user", units: 22_000n, run: deleteUser },
  ].map((method) => ({ ...method, run: refusing(method.run) })),
);

/** Stand-in for the perpetuals exchange on the practice chain. */
export const perpetualsExchange: VenueStandIn = {
  program: driftProgram,
  accounts: exchangeAccounts,
  quotePool: EXCHANGE_POOLS,
  upgraded: upgradedExchange,
  live: withKeepers,
  sharedAddresses: () => sharedAddresses(DRIFT_V2_INSTANCE, PRACTICE_MARKETS.map(oracleAddress)),
};
