import type { Address } from "@solana/kit";
import { anchorStruct } from "../../../solana/encoding/anchor.ts";
import { i64, u8 } from "../../../solana/number-codecs.ts";
import { settlementHead } from "../../../venues/drift/book-events.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import {
  type DriftSpotMarket,
  MARKET_STATUS,
  spotMarketLayout,
} from "../../../venues/drift/layout-spot-market.ts";
import { type DriftState, stateLayout } from "../../../venues/drift/layout-state.ts";
import { type DriftPerpPosition, userLayout } from "../../../venues/drift/layout-user.ts";
import { BASE_PRECISION } from "../../../venues/drift/margin.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { argumentsOf, loadAt, requireWritable, signerAt, store } from "../anchor.ts";
import { emit } from "./account-events.ts";
import { PRICE_PRECISION, reservePrice } from "./curve.ts";
import { demandRunning, loadUser, draftUser, QUOTE_MARKET_INDEX } from "./exchange-accounts.ts";
import { demand } from "./exchange-failures.ts";
import { type ExchangeMaps, loadMaps, withSpot } from "./exchange-maps.ts";
import { requireVault, tokenAccountAt } from "./exchange-vault.ts";
import { payFunding } from "./funding-payments.ts";
import { abs, max, min } from "./integers.ts";
import { judgeMargin } from "./margin-check.ts";
import { demandSoundMarket, updateMarket } from "./market-update.ts";
import { touchUser } from "./orders.ts";
import { addQuote, isAvailable, positionOf } from "./position-changes.ts";
import { changeDeposit, depositOf, poolTokens, changePool, type Pool } from "./spot-balance.ts";
import { accrueInterest, borrowTokens, depositTokens } from "./spot-interest.ts";
import { mostTaken } from "./withdraw-limits.ts";

/** Amount a market keeps before it contributes revenue: 250 dollars. */
const REVENUE_THRESHOLD = 250_000_000n;

/** Divisor of a loss that gives the AMM's share for fees it is still owed. */
const LOSS_PARTS_FOR_FEES = 100n;

/** Both pools of a market and the spot market of their deposits. The market is changed in place. */
interface Pools {
  readonly market: DriftPerpMarket;
  spot: DriftSpotMarket;
}

const feeTokens = ({ market, spot }: Pools) => poolTokens(market.amm.feePool, spot);
const pnlTokens = ({ market, spot }: Pools) => poolTokens(market.pnlPool, spot);

/** Adds tokens to a pool, or removes them. */
function change(pools: Pools, pool: Pool, tokens: bigint): Pool {
  const changed = changePool(pool, pools.spot, tokens);
  pools.spot = changed.market;
  return changed.pool;
}

/** Half of the collected fees stays with the market. */
const leastFees = ({ amm }: DriftPerpMarket) => amm.totalExchangeFee / 2n;

/** Balances the market's two pools. Returns whether the fee pool still lacks earned fees. */
function balancePools(pools: Pools): boolean {
  const { market } = pools;
  const { amm } = market;
  const withdrawn = amm.totalLiquidationFee - amm.totalFeeWithdrawn;
  const most = amm.totalFeeMinusDistributions + withdrawn;
  const surplus = feeTokens(pools) - max(0n, most);
  const isOwed = most > feeTokens(pools);
  if (!isOwed && surplus > 0n) {
    amm.feePool = change(pools, amm.feePool, -surplus);
    market.pnlPool = change(pools, market.pnlPool, surplus);
  }
  const least = leastFees(market) + withdrawn;
  demand(least >= 0n, "MathError");
  const missing = min(least - feeTokens(pools), pnlTokens(pools));
  if (missing > 0n) {
    market.pnlPool = change(pools, market.pnlPool, -missing);
    amm.feePool = change(pools, amm.feePool, missing);
  }
  return isOwed;
}

/** Returns the amount moved to the revenue pool (positive) or from it (negative). */
function revenueTransfer({ market, spot }: Pools, surplus: bigint): bigint {
  const { amm, insuranceClaim: claim } = market;
  const perPeriod = claim.maxRevenueWithdrawPerPeriod;
  const beyond = surplus - REVENUE_THRESHOLD;
  if (beyond > 0n) {
    const kept = REVENUE_THRESHOLD + amm.totalSocialLoss;
    const available = max(0n, poolTokens(amm.feePool, spot) - kept);
    const insured = claim.quoteSettledInsurance + claim.quoteMaxInsurance;
    const earned = leastFees(market) + min(amm.totalLiquidationFee, insured);
    const due = max(0n, earned - amm.totalFeeWithdrawn);
    const allowed = claim.revenueWithdrawSinceLastSettle + perPeriod;
    return min(min(due, available), max(0n, min(allowed, amm.netRevenueSinceLastFunding)));
  }
  if (beyond === 0n) return 0n;
  const allowed = perPeriod - claim.revenueWithdrawSinceLastSettle;
  demand(allowed >= 0n, "CastingFailure");
  const most = min(min(allowed, poolTokens(spot.revenuePool, spot)), perPeriod);
  return -min(-beyond, most);
}

function moveRevenue(pools: Pools, now: bigint): void {
  const { market } = pools;
  const { amm, insuranceClaim: claim } = market;
  const surplus = amm.totalFeeMinusDistributions - amm.totalFeeWithdrawn;
  if (pools.spot.insuranceFund.lastRevenueSettleTs > claim.lastRevenueWithdrawTs) {
    claim.revenueWithdrawSinceLastSettle = 0n;
  }
  const moved = revenueTransfer(pools, surplus);
  if (moved === 0n) return;
  const toRevenue = () => {
    const revenuePool = change(pools, pools.spot.revenuePool, moved);
    pools.spot = { ...pools.spot, revenuePool };
  };
  // The giving pool is booked first
  if (moved < 0n) toRevenue();
  amm.feePool = change(pools, amm.feePool, -moved);
  if (moved > 0n) {
    toRevenue();
    amm.totalFeeWithdrawn += moved;
  }
  amm.totalFeeMinusDistributions -= moved;
  claim.revenueWithdrawSinceLastSettle -= moved;
  claim.lastRevenueWithdrawTs = now;
}

/**
 * Settles a loss into the market's pools or a gain from them, as far as pools and balance allow. The market is changed
 * in place; returns the amount settled with the user, and the updated spot market.
 */
function settleWithPools(
  market: DriftPerpMarket,
  spot: DriftSpotMarket,
  owed: { readonly pnl: bigint; readonly held: bigint },
  now: bigint,
): { readonly settled: bigint; readonly spot: DriftSpotMarket } {
  const pools: Pools = { market, spot };
  const isOwed = balancePools(pools);
  moveRevenue(pools, now);
  const settled =
    owed.pnl > 0n
      ? min(owed.pnl, pnlTokens(pools))
      : max(owed.pnl, -mostTaken(pools.spot, owed.held));
  const forFees = isOwed && settled < 0n ? -settled / LOSS_PARTS_FOR_FEES : 0n;
  market.amm.feePool = change(pools, market.amm.feePool, forFees);
  market.pnlPool = change(pools, market.pnlPool, -settled - forFees);
  return { settled, spot: pools.spot };
}

const settlePnlRecord = anchorStruct("event", "SettlePnlRecord", [
  ...settlementHead,
  ["quoteEntryAmount", i64],
  ["settlePrice", i64],
  ["explanation", u8],
]);

const USER_STATUS_BANKRUPT = 2;

/** Bits of the operations that a market can pause individually. */
const PAUSED = { settling: 8, settlingOfOpen: 16 } as const;

/** One fifth of the fee pool also backs gains. */
const FEE_POOL_PARTS = 5n;

/** Refuses while the curve or the oracle price is far from its five-minute average. */
function demandPriceBand({ amm }: DriftPerpMarket, state: DriftState, oracle: bigint): void {
  const average = amm.historicalOracleData.lastOraclePriceTwap5min;
  const distance = (price: bigint) => abs(((price - average) * PRICE_PRECISION) / price);
  const most = max(state.markOraclePercentDivergence, PRICE_PRECISION / 10n);
  const farthest = max(distance(reservePrice(amm)), distance(oracle));
  demand(farthest <= most, "PriceBandsBreached");
}

function demandSettling(market: DriftPerpMarket, position: DriftPerpPosition): void {
  const isOpen = position.baseAssetAmount !== 0n;
  const paused = PAUSED.settling | (isOpen ? PAUSED.settlingOfOpen : 0);
  const isActive =
    market.status === MARKET_STATUS.active ||
    (!isOpen && market.status === MARKET_STATUS.reduceOnly);
  const isAllowed = (market.pausedOperations & paused) === 0 && isActive;
  demand(isAllowed, "InvalidMarketStatusToSettlePnl");
}

const valueOf = (base: bigint, price: bigint) => (base * price) / BASE_PRECISION;

/** Returns the amount in the market's pools beyond the total claims of all its users. */
function poolExcess(market: DriftPerpMarket, spot: DriftSpotMarket, price: bigint): bigint {
  const { amm, pnlPool } = market;
  const fees = poolTokens(amm.feePool, spot) / FEE_POOL_PARTS;
  const available = poolTokens(pnlPool, spot) + fees;
  const base = amm.baseAssetAmountWithAmm + amm.baseAssetAmountWithUnsettledLp;
  const cost =
    amm.quoteAssetAmount + amm.quoteAssetAmountWithUnsettledLp + amm.netUnsettledFundingPnl;
  const owed = valueOf(base, price) + cost;
  return owed < available ? available - max(0n, owed) : 0n;
}

/** Returns the amount that can be settled: a loss in full, a gain up to its realised part or the pools' excess. */
function claimable(position: DriftPerpPosition, pnl: bigint, excess: bigint): bigint {
  if (pnl <= 0n) return pnl;
  const realised = max(0n, position.quoteAssetAmount - position.quoteEntryAmount);
  return min(pnl, realised + max(0n, excess));
}

/** Returns the instruction's own accounts. */
function openSettlement(context: InstructionContext) {
  const state = loadAt(context, 0, "state", stateLayout).value;
  const { address, value } = loadUser(context, 1);
  const by = signerAt(context, 2, "authority");
  const vault = tokenAccountAt(context, 3, "spot_market_vault");
  requireWritable(context, 1, "user");
  requireVault(context, vault.address, QUOTE_MARKET_INDEX);
  demandRunning(state, "settlePnlPaused");
  return { state, address, user: draftUser(value), by, vault };
}

/** Refuses a settlement by a third party, except of a loss or of a gain within the pools' excess. */
function demandOwnWish(
  user: { readonly authority: Address; readonly delegate: Address },
  by: Address,
  settled: bigint,
  excess: bigint,
): void {
  const isOwn = user.authority === by || user.delegate === by;
  const isFree = settled < 0n || excess > 0n || isOwn;
  demand(isFree, "UserMustSettleTheirOwnPositiveUnsettledPNL");
}

function demandVault(spot: DriftSpotMarket, vault: bigint): void {
  const deposits = depositTokens(spot);
  const isCovered = vault >= deposits - borrowTokens(spot);
  const isSound = poolTokens(spot.revenuePool, spot) <= deposits && isCovered;
  demand(isSound, "SpotMarketVaultInvariantViolated");
}

/** Settles a position's PnL into collateral. */
export function settlePnl(context: InstructionContext): void {
  const { marketIndex } = argumentsOf(context, driftArguments.settlePnl);
  const { state, address, user, by, vault } = openSettlement(context);
  const use = { perp: marketIndex, spot: QUOTE_MARKET_INDEX, held: address };
  const shown = loadMaps(context, state, 4, use);
  const market = shown.perp(marketIndex);
  updateMarket(market, state, shown, context.time);
  demand((user.status & USER_STATUS_BANKRUPT) === 0, "UserBankrupt");
  const quote = shown.spot(QUOTE_MARKET_INDEX);
  const spot = accrueInterest(context, quote, { witnesses: false });
  const maps: ExchangeMaps = withSpot(shown, spot);
  const { price } = maps.oracle(market.amm.oracle);
  demandPriceBand(market, state, price);
  const held = user.perpPositions.find(
    (slot) => slot.marketIndex === marketIndex && !isAvailable(slot),
  );
  if (held !== undefined) payFunding(context, address, user, held, market);
  const position = positionOf(user, marketIndex);
  const pnl = valueOf(position.baseAssetAmount, price) + position.quoteAssetAmount;
  if (pnl < 0n) {
    const { collateral, requirement } = judgeMargin(user, maps, "maintenance", true);
    demand(collateral >= requirement, "InsufficientCollateralForSettlingPNL");
  }
  demandSettling(market, position);

  const excess = poolExcess(market, spot, price);
  const due = claimable(position, pnl, excess);
  const owed = { pnl: due, held: depositOf(user, spot) };
  const paid = settleWithPools(market, spot, owed, context.time.unixTime);
  demand(due !== 0n, "NoUnsettledPnl");
  demand(paid.settled !== 0n, "PnlPoolCantSettleUser");
  demandOwnWish(user, by, paid.settled, excess);
  const changed = changeDeposit(user, paid.spot, paid.settled);
  addQuote(position, market, -paid.settled);
  position.settledPnl += paid.settled;
  demandSoundMarket(market);
  const isOnStep = abs(position.baseAssetAmount) % market.amm.orderStepSize === 0n;
  demand(isOnStep, "InvalidPerpPositionDetected");
  emit(context, settlePnlRecord, {
    user: address,
    marketIndex,
    pnl: paid.settled,
    baseAssetAmount: position.baseAssetAmount,
    quoteAssetAmountAfter: position.quoteAssetAmount,
    quoteEntryAmount: position.quoteEntryAmount,
    settlePrice: price,
    explanation: 0,
  });
  const settledUser = { ...changed.user, settledPerpPnl: user.settledPerpPnl + paid.settled };
  touchUser(settledUser, context.time.slot);
  demandVault(changed.market, vault.amount);
  store(context, address, userLayout, settledUser);
  store(context, quote.pubkey, spotMarketLayout, changed.market);
  shown.write(marketIndex);
}
