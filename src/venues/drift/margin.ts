import { type DriftPerpMarket, MARGIN_PRECISION } from "./layout-perp-market.ts";
import { MARKET_STATUS } from "./layout-spot-market.ts";

/** Base units per whole asset: perpetual sizes have nine decimals. */
export const BASE_PRECISION = 1_000_000_000n;

/** Units of a cumulative funding rate per quote unit and base asset: nine decimals on six, times nine for the base. */
const FUNDING_PRECISION = 1_000_000_000_000n;

const IMF_PRECISION = 1_000_000n;
const MILLION = 1_000_000n;

/** Margin of each open order: one cent. */
export const OPEN_ORDER_MARGIN = 10_000n;

/** Largest gain per market that counts as collateral for new exposure: 100 dollars. */
export const MAX_GAIN_FOR_INITIAL = 100_000_000n;

/** Kind of margin requirement: to open, fill or keep a position. */
export type MarginKind = "initial" | "fill" | "maintenance";

/** What the margin of a position takes from its market. */
export type MarginMarket = Pick<
  DriftPerpMarket,
  | "status"
  | "imfFactor"
  | "marginRatioInitial"
  | "marginRatioMaintenance"
  | "unrealizedPnlImfFactor"
  | "unrealizedPnlInitialAssetWeight"
  | "unrealizedPnlMaintenanceAssetWeight"
  | "unrealizedPnlMaxImbalance"
> & {
  readonly amm: Pick<
    DriftPerpMarket["amm"],
    | "baseAssetAmountWithAmm"
    | "baseAssetAmountWithUnsettledLp"
    | "historicalOracleData"
    | "netUnsettledFundingPnl"
    | "quoteAssetAmount"
    | "quoteAssetAmountWithUnsettledLp"
  >;
};

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
  readonly openOrders: number;
  /** Quote units with six decimals per whole asset. */
  readonly oraclePrice: bigint;
  readonly market: MarginMarket;
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
export function unpaidFunding(
  position: Pick<MarginPosition, "baseSize" | "lastFundingRate" | "marketFundingRate">,
): bigint {
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

/** Returns the margin ratio of a position of a size, in ten-thousandths: a market with an `imfFactor` asks more for size. */
export function marginRatio(market: MarginMarket, size: bigint, kind: MarginKind): bigint {
  if (market.status === MARKET_STATUS.settlement) return 0n;
  const [initial, maintenance] = [market.marginRatioInitial, market.marginRatioMaintenance];
  const own = BigInt(
    kind === "initial"
      ? initial
      : kind === "fill"
        ? Math.floor((initial + maintenance) / 2)
        : maintenance,
  );
  if (market.imfFactor === 0) return own;
  const premium =
    (squareRoot(size * 10n + 1n) * BigInt(market.imfFactor)) /
    ((100_000n * IMF_PRECISION) / MARGIN_PRECISION);
  return max(own, own - own / 5n + premium);
}

/** Returns what all users of a market have gained and not settled, in quote units. */
function unsettledGain({ amm }: MarginMarket): bigint {
  const base = amm.baseAssetAmountWithAmm + amm.baseAssetAmountWithUnsettledLp;
  return (
    (base * amm.historicalOracleData.lastOraclePrice) / BASE_PRECISION +
    amm.quoteAssetAmount +
    amm.quoteAssetAmountWithUnsettledLp +
    amm.netUnsettledFundingPnl
  );
}

/** Returns the weight of a market's gain as collateral, in ten-thousandths. Losses count in full. */
export function pnlWeight(market: MarginMarket, pnl: bigint, kind: MarginKind): bigint {
  if (pnl <= 0n) return MARGIN_PRECISION;
  if (kind === "maintenance") return BigInt(market.unrealizedPnlMaintenanceAssetWeight);
  const weight = BigInt(market.unrealizedPnlInitialAssetWeight);
  if (weight === 0n) return 0n;
  const most = market.unrealizedPnlMaxImbalance;
  const gained = most > 0n ? unsettledGain(market) : 0n;
  const balanced = gained > most ? (weight * most) / gained : weight;
  if (market.unrealizedPnlImfFactor === 0) return balanced;
  const discount =
    (squareRoot(pnl * 10_000n + 1n) * BigInt(market.unrealizedPnlImfFactor)) / 100_000n;
  return min(balanced, (IMF_PRECISION * 11n * MARGIN_PRECISION) / 10n / (IMF_PRECISION + discount));
}

function requirement(
  position: MarginPosition,
  kind: "initial" | "maintenance",
  cap: bigint,
): bigint {
  const withBids = abs(position.baseSize + position.openBids);
  const withAsks = abs(position.baseSize + position.openAsks);
  const size = max(withBids, withAsks);
  const sized = marginRatio(position.market, size, kind);
  const ratio = kind === "initial" ? max(sized, cap) : sized;
  const value = positionValue({ ...position, baseSize: size });
  return (value * ratio) / MARGIN_PRECISION + BigInt(position.openOrders) * OPEN_ORDER_MARGIN;
}

/** Returns the collateral required to keep or open exposure, in quote base units. */
export function marginRequirement(account: MarginAccount, kind: "initial" | "maintenance"): bigint {
  return account.positions.reduce(
    (sum, position) => sum + requirement(position, kind, account.maxMarginRatio),
    0n,
  );
}

/**
 * Returns the collateral in quote base units: the deposit plus PnL, losses in full and gains by their weight, of which the
 * initial kind counts at most 100 dollars per market.
 */
export function totalCollateral(account: MarginAccount, kind: "initial" | "maintenance"): bigint {
  return account.positions.reduce((sum, position) => {
    const pnl = unrealizedPnl(position);
    const weighted = (pnl * pnlWeight(position.market, pnl, kind)) / MARGIN_PRECISION;
    return sum + (kind === "initial" ? min(weighted, MAX_GAIN_FOR_INITIAL) : weighted);
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

/**
 * Returns the oracle price at which liquidation begins if no other price moves, rounded towards the present price; null
 * where no price of the position's market does. Undefined where gains count only in part, which makes the way to it bent.
 */
export function liquidationPrice(
  account: MarginAccount,
  position: MarginPosition,
): bigint | null | undefined {
  const { market, baseSize, openBids, openAsks, oraclePrice } = position;
  if (pnlWeight(market, 1n, "maintenance") !== MARGIN_PRECISION) return undefined;
  const marginSize = max(abs(baseSize + openBids), abs(baseSize + openAsks));
  const ratio = marginRatio(market, marginSize, "maintenance");
  const room = totalCollateral(account, "maintenance") - marginRequirement(account, "maintenance");
  if (room <= 0n) return oraclePrice;
  // What is lost of the room while the price moves by one against the position
  const lost = abs(baseSize) * MARGIN_PRECISION + (baseSize < 0n ? ratio : -ratio) * marginSize;
  if (lost <= 0n) return null;
  const way = (room * BASE_PRECISION * MARGIN_PRECISION) / lost;
  if (baseSize < 0n) return oraclePrice + way;
  return way < oraclePrice ? oraclePrice - way : null;
}

/** Returns the funding a position of this size received in the last period, in quote base units; negative when paid. */
export function lastFunding(baseSize: bigint, rate: bigint): bigint {
  return -(rate * baseSize) / FUNDING_PRECISION;
}
