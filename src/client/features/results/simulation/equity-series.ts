import { createDrawdown } from "../../../../domain/measures/growth.ts";
import type { SimulationResult } from "../../../../strategy/simulation.ts";

/** Chart series of a run, in whole quote units. */
export interface EquitySeries {
  readonly times: Float64Array;
  readonly equity: Float64Array;
  readonly holding: Float64Array;
  /** Drawdown as a fraction: 0 at a peak, -0.1 after a loss of 10 percent. */
  readonly drawdown: Float64Array;
  readonly closes: Float64Array;
}

/** Returns the chart series of a run: account value, buy-and-hold for the same money, and drawdown. */
export function equitySeries(result: SimulationResult, quoteDecimals: number): EquitySeries {
  const { times, equity, closes, firstOpen } = result;
  const start = Number(result.startMoney) / 10 ** quoteDecimals;
  const drawdown = createDrawdown(start);
  return {
    times,
    equity,
    closes,
    holding: closes.map((close) => (firstOpen > 0 ? (start * close) / firstOpen : start)),
    drawdown: equity.map((worth) => 0 - drawdown(worth)),
  };
}

/** Number of bars shown before and after a selected trade. */
const BARS_AROUND = 40;

/** Range of shown bars, start inclusive, end exclusive. */
export interface ShownBars {
  readonly from: number;
  readonly to: number;
}

/** Returns the range of bars around a trade. */
export function barsAround(
  times: Float64Array,
  trade: { readonly enteredAtMs: number; readonly exitedAtMs: number | null },
): ShownBars {
  const last = times.length - 1;
  const entered = Math.max(
    0,
    times.findIndex((time) => time > trade.enteredAtMs),
  );
  const exitedAtMs = trade.exitedAtMs;
  const found = exitedAtMs === null ? last : times.findIndex((time) => time >= exitedAtMs);
  const exited = found === -1 ? last : found;
  const around = Math.max(BARS_AROUND, exited - entered);
  return { from: Math.max(0, entered - around), to: Math.min(times.length, exited + around + 1) };
}

export function cutSeries(series: EquitySeries, { from, to }: ShownBars): EquitySeries {
  return {
    times: series.times.subarray(from, to),
    equity: series.equity.subarray(from, to),
    holding: series.holding.subarray(from, to),
    drawdown: series.drawdown.subarray(from, to),
    closes: series.closes.subarray(from, to),
  };
}
