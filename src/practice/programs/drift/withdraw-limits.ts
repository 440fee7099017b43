import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { BALANCE_TYPE, type DriftUser } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { max, min } from "./integers.ts";
import { depositOf } from "./spot-balance.ts";
import { borrowTokens, depositTokens } from "./spot-interest.ts";
import { spotPositionIn } from "./exchange-accounts.ts";

const MILLION = 1_000_000n;

interface Limits {
  readonly minDeposits: bigint;
  readonly maxBorrows: bigint;
}

/** Returns the amount that may be borrowed according to the daily averages. */
function borrowsByAverage(market: DriftSpotMarket): bigint {
  const { depositTokenTwap, borrowTokenTwap, withdrawGuardThreshold } = market;
  const lesser = min(depositTokens(market), depositTokenTwap);
  return max(
    withdrawGuardThreshold,
    min(max(lesser / 6n, borrowTokenTwap + lesser / 10n), lesser - lesser / 5n),
  );
}

/** Returns the largest loss that can be taken from a balance: the balance plus what the market may lend beyond it. */
export function mostTaken(market: DriftSpotMarket, held: bigint): bigint {
  const [deposits, borrows] = [depositTokens(market), borrowTokens(market)];
  const room = min(borrowsByAverage(market) - borrows, deposits - borrows);
  return max(0n, held) + max(0n, room);
}

/**
 * Returns the minimum deposits after a withdrawal and the maximum borrows, by the daily averages and the utilisation.
 */
function limitsOf(market: DriftSpotMarket): Limits {
  const [deposits, borrows] = [depositTokens(market), borrowTokens(market)];
  const { depositTokenTwap, utilizationTwap, withdrawGuardThreshold } = market;
  const most = max(
    BigInt(market.optimalUtilization),
    utilizationTwap + max(0n, MILLION - utilizationTwap) / 2n,
  );
  const unguarded = max(0n, deposits - withdrawGuardThreshold);
  const depositsByUse = min((borrows * MILLION) / most, unguarded);
  const borrowsByUse = max((most * deposits) / MILLION, withdrawGuardThreshold);
  const room = max(depositTokenTwap / 4n, min(withdrawGuardThreshold, depositTokenTwap));
  return {
    minDeposits: max(depositTokenTwap - room, depositsByUse),
    maxBorrows: min(borrowsByAverage(market), borrowsByUse),
  };
}

/** Returns whether a small account may withdraw its own deposits despite the market's daily limit. */
function isSmallOwner(
  context: InstructionContext,
  user: DriftUser,
  market: DriftSpotMarket,
  amount: bigint,
): boolean {
  const position = spotPositionIn(user, market.marketIndex);
  const net = user.totalDeposits - user.totalWithdraws;
  context.log(`net_deposits=${net}(${user.totalDeposits}-${user.totalWithdraws})`);
  const owes = position.balanceType === BALANCE_TYPE.borrow;
  if (net < 0n || position.cumulativeDeposits < 0n || owes) return false;
  return depositOf(user, market) + amount < market.withdrawGuardThreshold / 10n;
}

/** Returns whether a market's limits allow a withdrawal that user and market already include. */
export function isWithinLimits(
  context: InstructionContext,
  user: DriftUser,
  market: DriftSpotMarket,
  amount: bigint,
): boolean {
  const { minDeposits, maxBorrows } = limitsOf(market);
  const [deposits, borrows] = [depositTokens(market), borrowTokens(market)];
  const owes = spotPositionIn(user, market.marketIndex).balanceType === BALANCE_TYPE.borrow;
  if (deposits >= minDeposits && (!owes || borrows <= maxBorrows)) return true;
  context.log(`withdraw_guard_threshold=${market.withdrawGuardThreshold}`);
  context.log(`min_deposit_token=${minDeposits}`);
  context.log(`deposit_token_amount=${deposits}`);
  context.log(`max_borrow_token=${maxBorrows}`);
  context.log(`borrow_token_amount=${borrows}`);
  return isSmallOwner(context, user, market, amount);
}
