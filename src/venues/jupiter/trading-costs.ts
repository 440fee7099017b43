import type { KnownTradingCosts } from "../../domain/trading-costs.ts";

/**
 * Assumed costs of swapping: the router publishes no figures of a market, only quotes for single orders. Fees of the
 * pools are in the quoted price, and verified orders carry none of the router's.
 */
export const SWAP_COSTS: KnownTradingCosts = {
  feePpm: 0,
  halfSpreadPpm: 500,
  impactPpm: 200,
  fundingPpmPerDay: 0,
  maintenancePpm: 0,
  minBaseSize: 1n,
  baseStep: 1n,
  sources: {
    fee: "Orders with a fee of the router are refused here; what pools charge is in the price",
    spread: "Assumption: 0.05%, what pools of large markets charge. Set it to what your fills show",
    impact: "Assumption: 0.02% for 10,000. Thin markets move further",
    funding: "Spot: there is none",
    minimum: "Spot: no smallest size",
  },
};
