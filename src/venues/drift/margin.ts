import { MARGIN_PRECISION } from "./layout-perp-market.ts";

/** Base units per whole asset: perpetual sizes have nine decimals. */
export const BASE_PRECISION = 1_000_000_000n;

/** Units of a cumulative funding rate per quote unit and base asset: nine decimals on six, times nine for the base. */
const FUNDING_PRECISION = 1_000_000_000_000n;

const IMF_PRECISION = 1_000_000n;
const MILLION = 1_000_000n;

/** Margin inputs of one position and its market. Amounts are signed by side. */
export interface MarginPosition {
  /** Base units, negative when short. */
  readonly baseSize: bigint;
  /** Quote units owed to the position, fees included: negative after buying. */
  readonly quoteAmount: bigint;
  readonly lastFundingRate: bigint;
  /** Cumulative funding rate of the position's side. */
  readonly marketFundingRate: bigint;
  /** Base units of open buy orders, and of open sell orders as a negative number. */
  readonly openBids: bigint;
  readonly openAsks: bigint;
  /** Quote units with six decimals per whole asset. */
  readonly oraclePrice: bigint;
  /** In ten-thousandths. */
  readonly marginRatioInitial: bigint;
  readonly marginRatioMaintenance: bigint;
  /** Size-dependent extra margin in millionths; 0 for none. */
  readonly imfFactor: bigint;
  /** Share of positive PnL that counts as collateral, in ten-thousandths. */
  readonly pnlWeightInitial: bigint;
  readonly pnlWeightMaintenance: bigint;
}

/** Inputs of the margin calculation. `deposit` in quote base units, negative when borrowed. */
export interface MarginAccount {
  readonly deposit: bigint;
  readonly positions: readonly MarginPosition[];
  /** The user's own leverage cap as a margin ratio in ten-thousandths; 0 for none. */
  readonly maxMarginRatio: bigint;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = value;
  let next = (value + 1n) / 2n;
  while (next < guess) {
    guess = next;
    next = (guess + value / guess) / 2n;
  }
  return guess;
}

/** Returns the position's value at the oracle price, in quote base units. */
export function positionValue(position: Pick<MarginPosition, "baseSize" | "oraclePrice">): bigint {
  return (abs(position.baseSize) * position.oraclePrice) / BASE_PRECISION;
}

/** Returns the unpaid funding of the position in quote base units, negative when owed. */
export function unpaidFunding(position: MarginPosition): bigint {
  const rate = position.marketFundingRate - position.lastFundingRate;
  return -(rate * position.baseSize) / FUNDING_PRECISION;
}

const signedValue = (position: MarginPosition): bigint =>
  position.baseSize < 0n ? -positionValue(position) : positionValue(position);

/**
 * Returns the unsettled value of a market's slot, in quote base units.
 *
 * It includes what earlier positions left in the slot, so it counts as collateral and is not the PnL of one position.
 */
export function unrealizedPnl(position: MarginPosition): bigint {
  return signedValue(position) + position.quoteAmount + unpaidFunding(position);
}

/**
 * Returns the PnL of the open position with its fees and funding, in quote base units.
 *
 * `breakEvenAmount` is the program's own cost basis: it restarts when a position changes sides, shrinks with a partial
 * close, and does not change when PnL is settled.
 */
export function openPnl(position: MarginPosition, breakEvenAmount: bigint): bigint {
  return signedValue(position) + breakEvenAmount + unpaidFunding(position);
}

function marginRatio(position: MarginPosition, ratio: bigint, size: bigint): bigint {
  if (position.imfFactor === 0n) return ratio;
  const base = ratio - ratio / max(1n, IMF_PRECISION / position.imfFactor);
  const premium =
    (squareRoot(size * 10n + 1n) * position.imfFactor) /
    ((100_000n * IMF_PRECISION) / MARGIN_PRECISION);
  return max(ratio, base + premium);
}

function requirement(
  position: MarginPosition,
  kind: "initial" | "maintenance",
  cap: bigint,
): bigint {
  const withBids = abs(position.baseSize + position.openBids);
  const withAsks = abs(position.baseSize + position.openAsks);
  const size = max(withBids, withAsks);
  const own = kind === "initial" ? position.marginRatioInitial : position.marginRatioMaintenance;
  const sized = marginRatio(position, own, size);
  const ratio = kind === "initial" ? max(sized, cap) : sized;
  return (positionValue({ ...position, baseSize: size }) * ratio) / MARGIN_PRECISION;
}

/** Returns the collateral required to keep or open exposure, in quote base units. */
export function marginRequirement(account: MarginAccount, kind: "initial" | "maintenance"): bigint {
  return account.positions.reduce(
    (sum, position) => sum + requirement(position, kind, account.maxMarginRatio),
    0n,
  );
}

/** Returns the collateral in quote base units: the deposit plus PnL, losses in full and gains by their weight. */
export function totalCollateral(account: MarginAccount, kind: "initial" | "maintenance"): bigint {
  return account.positions.reduce((sum, position) => {
    const pnl = unrealizedPnl(position);
    const weight = kind === "initial" ? position.pnlWeightInitial : position.pnlWeightMaintenance;
    return sum + (pnl > 0n ? (pnl * weight) / MARGIN_PRECISION : pnl);
  }, account.deposit);
}

/** Returns the collateral available for new exposure; never negative. */
export function freeCollateral(account: MarginAccount): bigint {
  return max(0n, totalCollateral(account, "initial") - marginRequirement(account, "initial"));
}

/**
 * Returns the withdrawable amount: the deposit plus losses less the initial margin. Unsettled gains do not count; never
 * negative, never more than the deposit.
 */
export function withdrawableAmount(account: MarginAccount): bigint {
  const losses = account.positions.reduce(
    (sum, position) => sum + min(0n, unrealizedPnl(position)),
    0n,
  );
  const left = account.deposit + losses - marginRequirement(account, "initial");
  if (left >= account.deposit) return max(0n, account.deposit);
  // The remaining balance is rounded down by one unit and valued at the lower of the quote asset's price and its
  // average, which the program's rounding keeps within a millionth of one
  const worth = max(account.deposit, marginRequirement(account, "initial"));
  return max(0n, left - 1n - (worth + MILLION - 1n) / MILLION);
}

/** Returns the account's health: 100 with no margin used, 0 when liquidation begins. */
export function accountHealth(account: MarginAccount): number {
  const needed = marginRequirement(account, "maintenance");
  if (needed === 0n) return 100;
  const collateral = totalCollateral(account, "maintenance");
  if (collateral <= needed) return 0;
  // oxlint-disable-next-line house/no-float-money -- a percentage from 0 to 100, not money
  return Number(100n - (needed * 100n + collateral - 1n) / collateral);
}
