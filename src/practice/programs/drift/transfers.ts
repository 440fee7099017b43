import type { Address } from "@solana/kit";
import { TOKEN_PROGRAM, transferTokens } from "../../../solana/programs/token.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import {
  type DriftSpotMarket,
  spotMarketLayout,
} from "../../../venues/drift/layout-spot-market.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import { type DriftUser, userLayout } from "../../../venues/drift/layout-user.ts";
import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import { utf8 } from "../../../solana/encoding/pda.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import {
  accountAt,
  argumentsOf,
  constraintFailure,
  loadAt,
  requireProgram,
  requireWritable,
  signerAt,
  store,
} from "../anchor.ts";
import { call } from "../create-account.ts";
import { DEPOSIT_EXPLANATION, emitDeposit } from "./account-events.ts";
import {
  demandRunning,
  loadStats,
  loadUser,
  requireAuthority,
  requireStatsOf,
  requireTrader,
  QUOTE_MARKET_INDEX,
  spotPositionIn,
  withSpotPosition,
} from "./exchange-accounts.ts";
import { demand } from "./exchange-failures.ts";
import { requireVault, tokenAccountAt } from "./exchange-vault.ts";
import { type ExchangeMaps, loadMaps, withSpot } from "./exchange-maps.ts";
import { judgeMargin } from "./margin-check.ts";
import { isAvailable } from "./position-changes.ts";
import { changeDeposit, depositOf } from "./spot-balance.ts";
import { accrueInterest, borrowTokens, depositTokens } from "./spot-interest.ts";
import { isWithinLimits } from "./withdraw-limits.ts";

const U64_MAX = 2n ** 64n - 1n;
function requireMint(context: InstructionContext, mint: Address, vaultMint: Address): void {
  if (mint !== vaultMint) throw constraintFailure(context, "ConstraintRaw", "user_token_account");
}

/** Adds an amount to a total in the program's unit; the quote asset's amounts are already in that unit. */
const addedTo = (total: bigint, amount: bigint) =>
  total + amount > U64_MAX ? U64_MAX : total + amount;

function changed(user: DriftUser, market: DriftSpotMarket, delta: bigint) {
  const next = changeDeposit(user, market, delta, delta < 0n);
  const { scaledBalance } = spotPositionIn(next.user, market.marketIndex);
  demand(scaledBalance <= U64_MAX, "CastingFailure");
  const position = spotPositionIn(next.user, market.marketIndex);
  const cumulativeDeposits = position.cumulativeDeposits + delta;
  return { ...next, user: withSpotPosition(next.user, { ...position, cumulativeDeposits }) };
}

/** Deposits tokens from the signer's own account; the signer is the account's owner or delegate. */
export function deposit(context: InstructionContext): void {
  const { marketIndex, amount, reduceOnly } = argumentsOf(context, driftArguments.deposit);
  const state = loadAt(context, 0, "state", stateLayout);
  const user = loadUser(context, 1);
  const stats = loadStats(context, 2);
  const authority = signerAt(context, 3, "authority");
  const vault = tokenAccountAt(context, 4, "spot_market_vault");
  const source = tokenAccountAt(context, 5, "user_token_account");
  requireProgram(context, 6, TOKEN_PROGRAM, "token_program");
  requireWritable(context, 1, "user");
  requireTrader(context, user.value, authority);
  requireWritable(context, 2, "user_stats");
  requireStatsOf(context, stats.value, user.value);
  requireVault(context, vault.address, marketIndex);
  requireWritable(context, 4, "spot_market_vault");
  requireWritable(context, 5, "user_token_account");
  requireMint(context, source.mint, vault.mint);
  if (source.owner !== authority) {
    throw constraintFailure(context, "ConstraintTokenOwner");
  }
  demandRunning(state.value, "depositPaused");
  const maps = loadMaps(context, state.value, 7, { spot: marketIndex, held: user.address });
  demand(amount > 0n, "InsufficientDeposit");
  const value = maps.spot(marketIndex);
  const address = value.pubkey;
  const spot = accrueInterest(context, value, { witnesses: true });
  const held = depositOf(user.value, spot);
  // With reduce-only it repays the debt and deposits no more
  const brought = reduceOnly && held < 0n && amount > -held ? -held : amount;

  const next = changed(user.value, spot, brought);
  const { scaledBalance } = spotPositionIn(next.user, marketIndex);
  demand(
    scaledBalance === 0n || depositOf(next.user, next.market) !== 0n,
    "InvalidSpotPosition",
    `deposit left user with invalid position. scaled balance = ${scaledBalance} token amount = 0`,
  );
  const deposited = {
    ...next.user,
    totalDeposits: addedTo(next.user.totalDeposits, brought),
    lastActiveSlot: context.time.slot,
    idle: false,
  };
  store(context, user.address, userLayout, deposited);
  store(context, address, spotMarketLayout, {
    ...next.market,
    nextDepositRecordId: spot.nextDepositRecordId + 1n,
  });
  const parties = { source: source.address, destination: vault.address, authority };
  call(context, transferTokens(parties, brought));
  emitDeposit(context, { address: user.address, value: deposited }, next.market, {
    direction: 0,
    amount: brought,
    explanation: held < 0n ? DEPOSIT_EXPLANATION.repayBorrow : DEPOSIT_EXPLANATION.none,
    depositRecordId: spot.nextDepositRecordId,
  });
}

/** Withdraws tokens up to the margin limit; only the authority may. */
export function withdraw(context: InstructionContext): void {
  const args = argumentsOf(context, driftArguments.withdraw);
  const state = loadAt(context, 0, "state", stateLayout);
  const user = loadUser(context, 1);
  const stats = loadStats(context, 2);
  const authority = signerAt(context, 3, "authority");
  const vault = tokenAccountAt(context, 4, "spot_market_vault");
  const signer = accountAt(context, 5).address;
  const destination = tokenAccountAt(context, 6, "user_token_account");
  requireProgram(context, 7, TOKEN_PROGRAM, "token_program");
  requireWritable(context, 1, "user");
  requireAuthority(context, user.value, authority);
  requireWritable(context, 2, "user_stats");
  if (stats.value.authority !== authority) {
    throw constraintFailure(context, "ConstraintHasOne", "user_stats");
  }
  requireVault(context, vault.address, args.marketIndex);
  requireWritable(context, 4, "spot_market_vault");
  if (signer !== state.value.signer) {
    throw constraintFailure(context, "ConstraintRaw", "drift_signer");
  }
  requireWritable(context, 6, "user_token_account");
  requireMint(context, destination.mint, vault.mint);
  demandRunning(state.value, "withdrawPaused");
  const maps = loadMaps(context, state.value, 8, { spot: args.marketIndex, held: user.address });
  const value = maps.spot(args.marketIndex);
  const address = value.pubkey;
  const spot = accrueInterest(context, value, { witnesses: true });
  const amount = args.reduceOnly
    ? reducingAmount(args.amount, user.value, withSpot(maps, spot))
    : args.amount;

  const next = changed(user.value, spot, -amount);
  const [deposits, borrows] = [depositTokens(next.market), borrowTokens(next.market)];
  demand(
    borrows <= deposits,
    "SpotMarketInsufficientDeposits",
    `Spot Market has insufficent deposits to complete withdraw: deposits (${deposits}) borrows (${borrows})`,
  );
  const isAllowed = isWithinLimits(context, next.user, next.market, amount);
  demand(
    isAllowed,
    "DailyWithdrawLimit",
    `Spot Market ${spot.marketIndex} has hit daily withdraw limit. Attempted withdraw amount of ${amount} by ${authority}`,
  );
  requireCover(next.user, withSpot(maps, next.market));
  const withdrawn = {
    ...next.user,
    totalWithdraws: addedTo(next.user.totalWithdraws, amount),
    lastActiveSlot: context.time.slot,
    idle: false,
  };
  store(context, user.address, userLayout, withdrawn);
  store(context, address, spotMarketLayout, {
    ...next.market,
    nextDepositRecordId: spot.nextDepositRecordId + 1n,
  });
  const owes = depositOf(withdrawn, next.market) < 0n;
  emitDeposit(context, { address: user.address, value: withdrawn }, next.market, {
    direction: 1,
    amount,
    explanation: owes ? DEPOSIT_EXPLANATION.borrow : DEPOSIT_EXPLANATION.none,
    depositRecordId: spot.nextDepositRecordId,
  });
  const seeds = [utf8(DRIFT_V2_INSTANCE.signerSeed), Uint8Array.of(state.value.signerNonce)];
  const parties = {
    source: vault.address,
    destination: destination.address,
    authority: signer,
  };
  call(context, transferTokens(parties, amount), seeds);
}

/** Returns the smallest of the requested amount, the margin limit, and the balance. */
function reducingAmount(asked: bigint, user: DriftUser, maps: ExchangeMaps): bigint {
  const held = depositOf(user, maps.spot(QUOTE_MARKET_INDEX));
  demand(held >= 0n, "ReduceOnlyWithdrawIncreasedRisk");
  const { collateral, requirement } = judgeMargin(user, maps, "initial", false);
  const free = collateral > requirement ? collateral - requirement : 0n;
  const allowed = user.perpPositions.every(isAvailable) ? held : free;
  return [asked, allowed, held].reduce((a, b) => (a < b ? a : b));
}

function requireCover(user: DriftUser, maps: ExchangeMaps): void {
  const { collateral, requirement } = judgeMargin(user, maps, "initial", true);
  demand(
    collateral >= requirement,
    "InsufficientCollateral",
    `User attempting to withdraw where total_collateral ${collateral} is below initial_margin_requirement ${requirement}`,
  );
}
