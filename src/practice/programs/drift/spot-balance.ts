import { scaledBalance, tokenAmount } from "../../../venues/drift/balance.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { BALANCE_TYPE, type DriftUser } from "../../../venues/drift/layout-user.ts";
import { spotPositionIn, withSpotPosition } from "./exchange-accounts.ts";

/** A scaled balance of a market. */
interface Balance {
  readonly scaledBalance: bigint;
  readonly balanceType: number;
}

/** Returns the tokens a user has deposited in the market (negative: borrowed), in base units. */
export function depositOf(user: DriftUser, market: DriftSpotMarket): bigint {
  return tokenAmount(spotPositionIn(user, market.marketIndex), market);
}

function scaled(tokens: bigint, market: DriftSpotMarket, type: number, isRoundedUp: boolean) {
  const interest =
    type === BALANCE_TYPE.deposit
      ? market.cumulativeDepositInterest
      : market.cumulativeBorrowInterest;
  return scaledBalance(tokens, interest, market.decimals, isRoundedUp);
}

function withTotal(market: DriftSpotMarket, type: number, change: bigint): DriftSpotMarket {
  return type === BALANCE_TYPE.deposit
    ? { ...market, depositBalance: market.depositBalance + change }
    : { ...market, borrowBalance: market.borrowBalance + change };
}

/**
 * Returns balance and market after tokens were added (positive) or removed (negative). An amount beyond the balance
 * reverses it: a deposit becomes a debt, a debt a deposit.
 *
 * `isLeaving` means that tokens leave the exchange; the reduction then rounds against the balance.
 */
function changeBalance<B extends Balance>(
  balance: B,
  market: DriftSpotMarket,
  tokens: bigint,
  isLeaving: boolean,
): { readonly balance: B; readonly market: DriftSpotMarket } {
  const direction = tokens < 0n ? BALANCE_TYPE.borrow : BALANCE_TYPE.deposit;
  let left = tokens < 0n ? -tokens : tokens;
  let next = { ...balance };
  let total = market;
  const grow = () => {
    const added = scaled(left, total, direction, direction === BALANCE_TYPE.borrow);
    next = { ...next, balanceType: direction, scaledBalance: next.scaledBalance + added };
    total = withTotal(total, direction, added);
  };
  if (direction === next.balanceType) {
    grow();
    return { balance: next, market: total };
  }
  const signed = tokenAmount(next, total);
  const held = signed < 0n ? -signed : signed;
  if (held !== 0n) {
    const isRoundedUp = isLeaving || next.balanceType === BALANCE_TYPE.borrow;
    const taken = held > left ? left : held;
    const reduction =
      held > left ? scaled(left, total, next.balanceType, isRoundedUp) : next.scaledBalance;
    total = withTotal(total, next.balanceType, -reduction);
    next = { ...next, scaledBalance: next.scaledBalance - reduction };
    left -= taken;
  }
  if (left > 0n) grow();
  return { balance: next, market: total };
}

/** A pool owned by the program, always a deposit. */
export type Pool = DriftSpotMarket["revenuePool"];

/** Returns the tokens in a pool, in base units. */
export function poolTokens({ scaledBalance }: Pool, market: DriftSpotMarket): bigint {
  return tokenAmount({ scaledBalance, balanceType: BALANCE_TYPE.deposit }, market);
}

/** Returns pool and market after tokens were added (positive) or removed, at most the pool's balance. */
export function changePool(
  pool: Pool,
  market: DriftSpotMarket,
  tokens: bigint,
): { readonly pool: Pool; readonly market: DriftSpotMarket } {
  const deposit = { ...pool, balanceType: BALANCE_TYPE.deposit };
  const changed = changeBalance(deposit, market, tokens, false);
  const { balanceType: _, ...next } = changed.balance;
  return { pool: next, market: changed.market };
}

/** Returns user and market after the user's balance changed by `delta` base units. */
export function changeDeposit(
  user: DriftUser,
  market: DriftSpotMarket,
  delta: bigint,
  isLeaving = false,
): { readonly user: DriftUser; readonly market: DriftSpotMarket } {
  const position = spotPositionIn(user, market.marketIndex);
  const changed = changeBalance(position, market, delta, isLeaving);
  return { user: withSpotPosition(user, changed.balance), market: changed.market };
}
