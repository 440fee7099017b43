import { leverageOfRatio } from "./instructions.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { refuseStop } from "../../domain/order/signing-limits.ts";
import type { Distance } from "../../domain/plan/plan.ts";
import type { AccountState, Position } from "../../domain/position.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { scaledBalance, tokenAmount } from "./balance.ts";
import { PlanRefusedError } from "../plan-step.ts";
import type { ExchangeReading, MarketReading } from "./exchange-reader.ts";
import type { DriftPerpMarket } from "./layout-perp-market.ts";
import { type DriftPerpPosition, type DriftUser, isUsed } from "./layout-user.ts";
import { isOurs, isTriggered, stopsOf, triggersWhen } from "./protective.ts";
import {
  BASE_PRECISION,
  type MarginAccount,
  type MarginPosition,
  accountHealth,
  freeCollateral,
  lastFunding,
  liquidationPrice,
  openPnl,
  positionValue,
  unrealizedPnl,
  withdrawableAmount,
} from "./margin.ts";

/** A used position slot with its market. A slot keeps unsettled PnL after its position is closed. */
export interface HeldPosition {
  readonly reading: MarketReading;
  readonly slot: DriftPerpPosition;
  /** Index of the slot among the account's eight. */
  readonly place: number;
  readonly margin: MarginPosition;
}

const hasExposure = ({ baseAssetAmount, openBids, openAsks }: DriftPerpPosition): boolean =>
  baseAssetAmount !== 0n || openBids !== 0n || openAsks !== 0n;

/** Returns what a slot's unpaid funding follows from. */
export const fundingRates = (slot: DriftPerpPosition, { amm }: DriftPerpMarket) => ({
  baseSize: slot.baseAssetAmount,
  lastFundingRate: slot.lastCumulativeFundingRate,
  marketFundingRate:
    slot.baseAssetAmount < 0n ? amm.cumulativeFundingRateShort : amm.cumulativeFundingRateLong,
});

function marginPosition(slot: DriftPerpPosition, reading: MarketReading): MarginPosition {
  const { market } = reading;
  return {
    quoteAmount: slot.quoteAssetAmount,
    ...fundingRates(slot, market),
    openBids: slot.openBids,
    openAsks: slot.openAsks,
    openOrders: slot.openOrders,
    // Without exposure the price does not matter, and a market that is not traded here may have one nobody reads
    oraclePrice: hasExposure(slot) ? reading.price.price : 0n,
    market,
  };
}

/** Returns the user's used position slots, those in markets that are not traded here among them. */
export function heldPositions(user: DriftUser, reading: ExchangeReading): readonly HeldPosition[] {
  return user.perpPositions.flatMap((slot, place) => {
    if (!isUsed(slot)) return [];
    const market = reading.markets.find((known) => known.market.marketIndex === slot.marketIndex);
    if (market === undefined) {
      throw new ChainUnavailableError(`Market ${slot.marketIndex} has just come to the account`);
    }
    return [{ reading: market, slot, place, margin: marginPosition(slot, market) }];
  });
}

/** Throws `PlanRefusedError` on exposure in a market that is not traded here: nobody takes it through this product. */
export function requireTraded(held: readonly HeldPosition[]): void {
  const other = held.find(({ slot, reading }) => !reading.isTraded && hasExposure(slot));
  if (other === undefined) return;
  throw new PlanRefusedError(
    `The account holds ${other.reading.marketId}, which is not traded here. Please close it on the exchange's own page first.`,
  );
}

/** Returns the user's quote tokens on the exchange, in base units; negative when borrowed. */
export function quoteDeposit(user: DriftUser, reading: ExchangeReading): bigint {
  return user.spotPositions
    .filter(({ marketIndex }) => marketIndex === reading.quoteMarket.marketIndex)
    .reduce((sum, position) => sum + tokenAmount(position, reading.quoteMarket), 0n);
}

/** Throws `RangeError` when a withdrawal would leave less than one unit, which the program refuses. */
export function requireKeepable(user: DriftUser, reading: ExchangeReading, amount: bigint): void {
  const { quoteMarket } = reading;
  const { cumulativeDepositInterest, decimals } = quoteMarket;
  const deposit = quoteDeposit(user, reading);
  if (amount >= deposit) return;
  const taken = scaledBalance(amount, cumulativeDepositInterest, decimals, true);
  const held = user.spotPositions.find(
    ({ marketIndex }) => marketIndex === quoteMarket.marketIndex,
  );
  if (held === undefined) return;
  const left = { ...held, scaledBalance: held.scaledBalance - taken };
  if (tokenAmount(left, quoteMarket) > 0n) return;
  throw new RangeError(
    `Please withdraw all ${formatDecimal(deposit, decimals)} or at most ${formatDecimal(deposit - 2n, decimals)}: the exchange cannot keep the last unit alone`,
  );
}

/** Returns the inputs of the user's margin calculation. */
export function marginAccount(user: DriftUser, reading: ExchangeReading): MarginAccount {
  return {
    deposit: quoteDeposit(user, reading),
    positions: heldPositions(user, reading).map(({ margin }) => margin),
    maxMarginRatio: BigInt(user.maxMarginRatio),
  };
}

function toPosition(account: MarginAccount, { reading, slot, margin }: HeldPosition): Position {
  const size = slot.baseAssetAmount < 0n ? -slot.baseAssetAmount : slot.baseAssetAmount;
  const entry = slot.quoteEntryAmount < 0n ? -slot.quoteEntryAmount : slot.quoteEntryAmount;
  const { amm } = reading.market;
  const rate = slot.baseAssetAmount < 0n ? amm.lastFundingRateShort : amm.lastFundingRateLong;
  const liquidation = liquidationPrice(account, margin);
  return {
    marketId: reading.marketId,
    side: slot.baseAssetAmount < 0n ? "short" : "long",
    baseSize: size,
    entryPrice: (entry * BASE_PRECISION) / size,
    unrealizedPnl: openPnl(margin, slot.quoteBreakEvenAmount),
    entryFees: slot.quoteBreakEvenAmount - slot.quoteEntryAmount,
    positionValue: positionValue(margin),
    ...(liquidation !== undefined && { liquidationPrice: liquidation }),
    ...(amm.fundingPeriod === HOUR && { fundingPerHour: lastFunding(slot.baseAssetAmount, rate) }),
  };
}

/** Seconds of the funding period that is shown as funding per hour. */
const HOUR = 3_600n;

const EMPTY = {
  subAccountExists: false,
  positions: [],
  openOrderCount: 0,
  cash: 0n,
  freeCollateral: 0n,
  portfolioValue: 0n,
  withdrawable: 0n,
  netDeposits: 0n,
  health: 100,
} as const;

/** Returns a user's account state; without an account, an empty one. */
export function accountStateOf(user: DriftUser | null, reading: ExchangeReading): AccountState {
  if (user === null) return { slot: reading.slot, ...EMPTY };
  const margin = marginAccount(user, reading);
  return {
    slot: reading.slot,
    subAccountExists: true,
    positions: heldPositions(user, reading)
      .filter(({ slot, reading: market }) => market.isTraded && slot.baseAssetAmount !== 0n)
      .map((held) => toPosition(margin, held)),
    openOrderCount: user.openOrders - user.orders.filter(isOurs).length,
    cash: user.perpPositions.reduce((sum, slot) => sum + slot.quoteAssetAmount, margin.deposit),
    freeCollateral: freeCollateral(margin),
    portfolioValue: margin.positions.reduce(
      (sum, position) => sum + unrealizedPnl(position),
      margin.deposit,
    ),
    withdrawable: withdrawableAmount(margin),
    netDeposits: user.totalDeposits - user.totalWithdraws,
    health: accountHealth(margin),
    ...(user.maxMarginRatio !== 0 && { leverage: leverageOfRatio(user.maxMarginRatio) }),
  };
}

/**
 * Returns whether a position in a market lacks the stop that its plan asks for: none of ours rests that closes the whole
 * of it and is no farther from its average entry, and none that was triggered is in its auction.
 */
export function lacksStopOf(
  user: DriftUser | null,
  reading: ExchangeReading,
  { marketId, at }: { readonly marketId: string | undefined; readonly at: Distance },
): boolean {
  const traded = reading.markets.find((each) => each.marketId === marketId);
  const { positions } = accountStateOf(user, reading);
  const position = positions.find((each) => each.marketId === marketId);
  if (user === null || traded === undefined || position === undefined) return false;
  const { marketIndex, amm } = traded.market;
  const terms = { at, step: amm.orderStepSize };
  // Less than a step cannot be stopped
  if (position.baseSize < terms.step) return false;
  return !stopsOf(user.orders, marketIndex, position.side).some((order) => {
    if (isTriggered(order)) return order.slot + BigInt(order.auctionDuration) >= reading.slot;
    const { triggerPrice, baseAssetAmount, baseAssetAmountFilled } = order;
    const baseSize = baseAssetAmount - baseAssetAmountFilled;
    const stop = { baseSize, triggerPrice, triggersWhen: triggersWhen(order) };
    return refuseStop(stop, position, terms) === null;
  });
}
