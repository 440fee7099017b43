import type { SeedResult } from "./run-seed.ts";

/** What many seeds did together. */
export interface SeedCounts {
  readonly seeds: number;
  readonly steps: number;
  readonly alerts: number;
  readonly orders: number;
  readonly trades: number;
  readonly kills: number;
  readonly stops: number;
  readonly lost: number;
  readonly doubled: number;
  readonly failed: number;
  /** Number of seeds that went through a branch, by its name. */
  readonly reached: Readonly<Record<string, number>>;
}

export const NO_COUNTS: SeedCounts = {
  seeds: 0,
  steps: 0,
  alerts: 0,
  orders: 0,
  trades: 0,
  kills: 0,
  stops: 0,
  lost: 0,
  doubled: 0,
  failed: 0,
  reached: {},
};

/** Adds a seed. `lost` and `doubled` are seeds in which the judge found that first. */
export function addCounts(counts: SeedCounts, result: SeedResult): SeedCounts {
  const { steps, alerts, orders, trades, kills, stops, failure } = result;
  const reached = { ...counts.reached };
  for (const name of result.reached) reached[name] = (reached[name] ?? 0) + 1;
  return {
    seeds: counts.seeds + 1,
    steps: counts.steps + steps,
    alerts: counts.alerts + alerts,
    orders: counts.orders + orders,
    trades: counts.trades + trades,
    kills: counts.kills + kills,
    stops: counts.stops + stops,
    lost: counts.lost + (failure?.kind === "lost" ? 1 : 0),
    doubled: counts.doubled + (failure?.kind === "doubled" ? 1 : 0),
    failed: counts.failed + (failure === null ? 0 : 1),
    reached,
  };
}

export const countsText = (counts: SeedCounts): string =>
  `${counts.seeds} seeds, ${counts.steps} steps, ${counts.alerts} alerts acknowledged, ${counts.orders} orders, ${counts.trades} trades, ${counts.kills} kills, ${counts.stops} stops of the position's size, ${counts.lost} lost, ${counts.doubled} doubled, ${counts.failed} failed; reached in seeds: ${Object.entries(
    counts.reached,
  )
    .map(([name, seeds]) => `${name} ${seeds}`)
    .join(", ")}`;
