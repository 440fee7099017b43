import { scaledBalance, tokenAmount } from "../../../venues/drift/balance.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import type { DriftUser } from "../../../venues/drift/layout-user.ts";
import { BALANCE_TYPE } from "../../../venues/drift/layout-user.ts";
import { spotPositionIn, withSpotPosition } from "./user-slots.ts";

/** Returns the tokens a user has deposited in the market, in base units. */
export function depositOf(user: DriftUser, market: DriftSpotMarket): bigint {
  return tokenAmount(spotPositionIn(user, market.marketIndex), market);
}

/**
 * Returns user and market after the user's deposit changed by `delta` base units; it must not fall below zero.
 *
 * The user's balance rounds against the user, so that balances never add up to more than the vault holds.
 */
export function changeDeposit(
  user: DriftUser,
  market: DriftSpotMarket,
  delta: bigint,
): { readonly user: DriftUser; readonly market: DriftSpotMarket } {
  const position = spotPositionIn(user, market.marketIndex);
  const { cumulativeDepositInterest, decimals } = market;
  const size = delta < 0n ? -delta : delta;
  const scaled = scaledBalance(size, cumulativeDepositInterest, decimals, delta < 0n);
  const change = delta < 0n ? -scaled : scaled;
  const next = position.scaledBalance + change;
  if (next < 0n) throw new Error("A deposit was reduced below zero");
  return {
    user: withSpotPosition(user, {
      ...position,
      scaledBalance: next,
      balanceType: BALANCE_TYPE.deposit,
    }),
    market: { ...market, depositBalance: market.depositBalance + change },
  };
}
