import type { Comparison } from "../src/domain/condition/condition.ts";
import { createIndicator, type IndicatorName } from "../src/domain/condition/indicator-table.ts";
import { PERP_BASE_DECIMALS } from "../src/venues/drift/profile.ts";
import type { Bar } from "../src/strategy/bar-times.ts";
import { seededRandom } from "../src/strategy/random.ts";
import { simulate } from "../src/strategy/simulate.ts";
import type { SimulatedAgent, SimulationInput } from "../src/strategy/simulation.ts";
import { NO_OWNER_LIMITS } from "../test/owner-limits.ts";

const BARS = 400_000;
const ROUNDS = 5;
const MINUTE_MS = 60_000;

type ConditionRow = readonly [
  alert: string,
  IndicatorName,
  output: string,
  parameters: readonly number[],
  is: "above" | "below" | "crosses-above" | "crosses-below",
  against: number | "close",
];

/** Ten different indicators with their usual parameters in three conditions: one enters, one leaves, one resets. */
const TEN: readonly ConditionRow[] = [
  ["in", "RSI", "value", [14], "crosses-below", 22],
  ["in", "ADX", "value", [14], "above", 15],
  ["in", "ATR", "value", [14], "above", 0.01],
  ["in", "MFI", "value", [14], "below", 80],
  ["out", "EMA", "value", [20], "crosses-below", "close"],
  ["out", "CCI", "value", [20], "above", 50],
  ["out", "ROC", "value", [9], "above", -5],
  ["reset", "SMA", "value", [50], "crosses-above", "close"],
  ["reset", "WMA", "value", [20], "below", "close"],
  ["reset", "MACD", "histogram", [12, 26, 9], "below", 0],
];

const ALERTS = ["in", "out", "reset"] as const;

const CLOSE_AT = 3;

/** Returns minute bars of a random walk. */
function benchBars(count = BARS): Bar[] {
  const random = seededRandom(1);
  let price = 100;
  return Array.from({ length: count }, (_, at) => {
    const open = price;
    price = Math.max(1, price * (1 + (random() - 0.5) / 200));
    const openTimeMs = Date.UTC(2024, 0, 1) + at * MINUTE_MS;
    return {
      openTimeMs,
      closeTimeMs: openTimeMs + MINUTE_MS,
      open,
      high: Math.max(open, price) * 1.001,
      low: Math.min(open, price) * 0.999,
      close: price,
      volume: 1_000 * random(),
    };
  });
}

const comparison = ([, name, output, parameters, is, against]: ConditionRow): Comparison => ({
  left: { kind: "indicator", name, output, parameters },
  is,
  right:
    against === "close" ? { kind: "price", field: "close" } : { kind: "number", value: against },
});

const BENCH_AGENT: SimulatedAgent = {
  market: {
    venue: "drift",
    marketId: "SOL-PERP",
    asset: "SOL",
    assetName: "Solana",
    kind: "perpetual",
    assetClass: "crypto",
    baseDecimals: PERP_BASE_DECIMALS,
    marketIndex: 0,
  },
  intervalMinutes: 1,
  positionSizePercent: 100,
  slippageBps: 100,
  limits: NO_OWNER_LIMITS,
  dailyLimits: null,
  alerts: ALERTS.map((alert) => ({
    alertKey: alert,
    name: alert,
    condition: { kind: "comparisons", all: TEN.filter(([of]) => of === alert).map(comparison) },
  })),
  rules: [
    { ruleId: "in", action: "OPEN_LONG", conditions: [{ alertKey: "in", requiredCount: 1 }] },
    { ruleId: "out", action: "CLOSE_LONG", conditions: [{ alertKey: "out", requiredCount: 1 }] },
    {
      ruleId: "reset",
      action: "RESET_OPEN_LONG",
      conditions: [{ alertKey: "reset", requiredCount: 3 }],
    },
  ],
};

const benchInput = (bars: readonly Bar[]): SimulationInput => ({
  agent: BENCH_AGENT,
  costs: {
    feePpm: 350,
    halfSpreadPpm: 250,
    impactPpm: 100,
    fundingPpmPerDay: 200,
    maintenancePpm: 100_000,
    minBaseSize: 10_000_000n,
    baseStep: 10_000_000n,
  },
  startMoney: 1_000_000_000n,
  quoteDecimals: 6,
  bars,
  fromMs: 0,
  firings: { kind: "conditions" },
});

/** Baseline: only the ten indicators over the same bars; the sum prevents dead-code elimination. */
function bareLoop(bars: readonly Bar[]): number {
  const indicators = TEN.map(([, name, , parameters]) =>
    createIndicator(name, parameters, CLOSE_AT),
  );
  const figures = new Float64Array(6);
  let sum = 0;
  for (const bar of bars) {
    figures[0] = bar.open;
    figures[1] = bar.high;
    figures[2] = bar.low;
    figures[3] = bar.close;
    figures[4] = bar.volume;
    figures[5] = bar.openTimeMs;
    for (let at = 0; at < indicators.length; at += 1) {
      const indicator = indicators[at];
      indicator?.next(figures);
      sum += indicator?.values[0] || 0;
    }
  }
  return sum;
}

export interface LoopFigures {
  /** Bars per second, the best of several rounds, because slower ones include other load. */
  readonly simulated: number;
  readonly bare: number;
  readonly trades: number;
}

/** Measures both alternately in the current thread. */
export function measureLoops(): LoopFigures {
  const bars = benchBars();
  let simulated = 0;
  let bare = 0;
  let trades = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = performance.now();
    bareLoop(bars);
    const between = performance.now();
    trades = simulate(benchInput(bars)).trades.length;
    const after = performance.now();
    bare = Math.max(bare, bars.length / ((between - before) / 1_000));
    simulated = Math.max(simulated, bars.length / ((after - between) / 1_000));
  }
  return { simulated, bare, trades };
}
