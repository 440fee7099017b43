import { BALANCE_TYPE } from "./layout-user.ts";

/** Decimals of a scaled balance (9) and of cumulative interest (10) added up. */
const SCALE_DECIMALS = 19;

/** Returns the tokens of a scaled balance in base units: deposits round down, borrows round up and are negative. */
export function tokenAmount(
  position: { readonly scaledBalance: bigint; readonly balanceType: number },
  market: {
    readonly cumulativeDepositInterest: bigint;
    readonly cumulativeBorrowInterest: bigint;
    readonly decimals: number;
  },
): bigint {
  const scale = 10n ** BigInt(SCALE_DECIMALS - market.decimals);
  if (position.balanceType === BALANCE_TYPE.deposit) {
    return (position.scaledBalance * market.cumulativeDepositInterest) / scale;
  }
  return -((position.scaledBalance * market.cumulativeBorrowInterest + scale - 1n) / scale);
}

/** Returns the scaled balance of a token amount. Rounding up always adds one, even to an exact result. */
export function scaledBalance(
  tokens: bigint,
  cumulativeInterest: bigint,
  decimals: number,
  isRoundedUp: boolean,
): bigint {
  const scale = 10n ** BigInt(SCALE_DECIMALS - decimals);
  const scaled = (tokens * scale) / cumulativeInterest;
  return isRoundedUp && scaled !== 0n ? scaled + 1n : scaled;
}
