import type { Market } from "../src/domain/market.ts";
import { PERP_BASE_DECIMALS } from "../src/venues/drift/profile.ts";
import type { TradingCosts } from "../src/domain/trading-costs.ts";
import type { Bar } from "../src/strategy/bar-times.ts";
import { seededRandom } from "../src/strategy/random.ts";
import type { SimulatedAgent, SimulationInput } from "../src/strategy/simulation.ts";
import { NO_OWNER_LIMITS } from "./owner-limits.ts";

const HOUR_MS = 3_600_000;

/** Monday 2024-01-01 00:00 UTC. */
export const FIRST_BAR_MS = Date.UTC(2024, 0, 1);

/** A spot market with nine decimals, bought with a token with six. */
export const SPOT: Market = {
  venue: "jupiter",
  marketId: "SOL",
  asset: "SOL",
  assetName: "Solana",
  kind: "spot",
  assetClass: "crypto",
  baseDecimals: 9,
  marketIndex: 0,
};

/** A perpetual with nine decimals, priced in a token with six. */
const PERPETUAL: Market = {
  venue: "drift",
  marketId: "SOL-PERP",
  asset: "SOL",
  assetName: "Solana",
  kind: "perpetual",
  assetClass: "crypto",
  baseDecimals: PERP_BASE_DECIMALS,
  marketIndex: 0,
};

export const NO_COSTS: TradingCosts = {
  feePpm: 0,
  halfSpreadPpm: 0,
  impactPpm: 0,
  fundingPpmPerDay: 0,
  maintenancePpm: 100_000,
  minBaseSize: 1n,
  baseStep: 1n,
};

/** Hourly bars whose open, high, low and close are given; one number stands for all four. */
export function hourlyBars(rows: readonly (number | readonly number[])[]): Bar[] {
  return rows.map((row, at) => {
    const [open = 0, high = open, low = open, close = open] = typeof row === "number" ? [row] : row;
    const openTimeMs = FIRST_BAR_MS + at * HOUR_MS;
    return { openTimeMs, closeTimeMs: openTimeMs + HOUR_MS, open, high, low, close, volume: 1 };
  });
}

/** Returns hourly bars of a random walk; the same seed gives the same bars. */
export function wanderingBars(count: number, seed: number): Bar[] {
  const random = seededRandom(seed);
  let price = 128;
  return hourlyBars(
    Array.from({ length: count }, () => {
      const open = price;
      price = Math.max(8, open + Math.round((random() - 0.5) * 64) / 16);
      return [open, Math.max(open, price) + 0.5, Math.min(open, price) - 0.5, price];
    }),
  );
}

/** An agent with one alert for each signal it trades on, named like it. */
export function buildSimulatedAgent(parts: Partial<SimulatedAgent> = {}): SimulatedAgent {
  const signals = ["OPEN_LONG", "CLOSE_LONG", "OPEN_SHORT", "CLOSE_SHORT"] as const;
  return {
    market: PERPETUAL,
    intervalMinutes: 60,
    positionSizePercent: 100,
    slippageBps: 50,
    limits: NO_OWNER_LIMITS,
    dailyLimits: null,
    alerts: signals.map((signal) => ({ alertKey: signal, name: signal })),
    rules: signals.map((action) => ({
      ruleId: action,
      action,
      conditions: [{ alertKey: action, requiredCount: 1 }],
    })),
    ...parts,
  };
}

/** Alerts that arrive when the bars of these numbers close, counted from 0. */
export function buildSimulation(
  bars: readonly Bar[],
  fired: readonly (readonly [bar: number, alertKey: string])[],
  parts: Partial<SimulationInput> = {},
): SimulationInput {
  return {
    agent: buildSimulatedAgent(),
    costs: NO_COSTS,
    startMoney: 1_000_000_000n,
    quoteDecimals: 6,
    bars,
    fromMs: 0,
    firings: {
      kind: "recorded",
      firings: fired.map(([at, alertKey]) => ({
        alertKey,
        atMs: FIRST_BAR_MS + (at + 1) * HOUR_MS,
      })),
    },
    ...parts,
  };
}
