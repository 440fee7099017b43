import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { demand } from "./exchange-failures.ts";
import { max, min } from "./integers.ts";
import { changePool, type Pool, poolTokens } from "./spot-balance.ts";
import { mostTaken } from "./withdraw-limits.ts";

/** What a market keeps of its own before any of it is revenue: 250 dollars. */
const REVENUE_THRESHOLD = 250_000_000n;

/** The market maker takes one of so many parts of a loss for its fees while they are owed. */
const LOSS_PARTS_FOR_FEES = 100n;

/** Both pools of a market, and the spot market they are deposits of. The market is changed in place. */
interface Pools {
  readonly market: DriftPerpMarket;
  spot: DriftSpotMarket;
}

const feeTokens = ({ market, spot }: Pools) => poolTokens(market.amm.feePool, spot);
const pnlTokens = ({ market, spot }: Pools) => poolTokens(market.pnlPool, spot);

/** Adds tokens to one of the pools, or takes them. */
function change(pools: Pools, pool: Pool, tokens: bigint): Pool {
  const changed = changePool(pool, pools.spot, tokens);
  pools.spot = changed.market;
  return changed.pool;
}

/** Half of the fees taken stays with the market. */
const leastFees = ({ amm }: DriftPerpMarket) => amm.totalExchangeFee / 2n;

/** Evens out the two pools of the market. Returns whether the fee pool still lacks fees that were earned. */
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

/** Returns what of the fees goes to the revenue pool (positive), or comes from it. */
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
  // Who gives is booked first
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
 * Takes a loss into the market's pools, or pays a gain from them, as far as the pools and the balance go. The market is
 * changed; returns what is settled with the user, and the spot market after the pools' part of it.
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
