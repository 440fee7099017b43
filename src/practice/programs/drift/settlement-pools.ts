import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { demand } from "./exchange-failures.ts";
import { max, min } from "./integers.ts";
import { changePool, type Pool, poolTokens } from "./spot-balance.ts";
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
export function settleWithPools(
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
