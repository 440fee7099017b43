import fc from "fast-check";
import type {
  AlertCondition,
  Comparison,
  Operand,
  OtherBars,
} from "../src/domain/condition/condition.ts";
import { INDICATORS, type IndicatorName } from "../src/domain/condition/indicator-table.ts";
import { barSpanAt, withBeside, type Bar } from "../src/strategy/bar-times.ts";

/** Indicators by the unit of their figures; only figures of the same unit stay comparable when prices are scaled. */
const PRICED = {
  SMA: ["value"],
  EMA: ["value"],
  WMA: ["value"],
  BB: ["upper", "middle", "lower"],
  VWAP: ["value"],
  DONCHIAN: ["high", "low"],
  KELTNER: ["upper", "middle", "lower"],
  SUPERTREND: ["line"],
} as const;
const PERCENT = {
  RSI: ["value"],
  BB: ["width"],
  ADX: ["value"],
  STOCH: ["k", "d"],
  CCI: ["value"],
  MFI: ["value"],
  ROC: ["value"],
} as const;
const DISTANCE = {
  MACD: ["line", "signal", "histogram"],
  ATR: ["value"],
  STDDEV: ["value"],
} as const;

/** Longest random period; longer ones would only slow the run down. */
const MAX_PERIOD = 12;

const parametersOf = (name: IndicatorName): fc.Arbitrary<number[]> => {
  if (name === "MACD") {
    return fc.tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 6, max: 12 }),
      fc.constant(4),
    );
  }
  return fc.tuple(
    ...INDICATORS[name].parameters.map(({ min, max, isWhole }) =>
      isWhole
        ? fc.integer({ min, max: Math.min(max, MAX_PERIOD) })
        : fc.constantFrom(0.5, 1, 1.5, 2),
    ),
  );
};

const barsBack = fc.integer({ min: 0, max: 5 });

/** Multiples of an hour, the interval that random conditions are evaluated on, and the asset beside random bars. */
const on = fc.constantFrom<OtherBars>(
  { interval: "2h" },
  { interval: "180m" },
  { asset: "BTC" },
  { asset: "BTC", interval: "2h" },
);

/** Reads one operand in five on other bars. */
const maybeOther = <Of extends object>(own: fc.Arbitrary<Of>): fc.Arbitrary<Of> =>
  fc.oneof(
    { weight: 4, arbitrary: own },
    { weight: 1, arbitrary: fc.tuple(own, on).map(([each, other]) => ({ ...each, on: other })) },
  );

const indicatorFrom = (table: Readonly<Partial<Record<IndicatorName, readonly string[]>>>) =>
  fc
    .constantFrom(
      ...Object.entries(table).flatMap(([name, outputs]) =>
        outputs.map((output) => ({ name: name as IndicatorName, output })),
      ),
    )
    .chain(({ name, output }) =>
      maybeOther(
        fc.record({
          kind: fc.constant("indicator" as const),
          name: fc.constant(name),
          output: fc.constant(output),
          parameters: parametersOf(name),
          barsBack,
        }),
      ),
    );

const price: fc.Arbitrary<Operand> = maybeOther(
  fc.record({
    kind: fc.constant("price" as const),
    field: fc.constantFrom("open" as const, "high" as const, "low" as const, "close" as const),
    barsBack,
  }),
);
const numberUpTo = (max: number): fc.Arbitrary<Operand> =>
  fc.record({ kind: fc.constant("number" as const), value: fc.integer({ min: -max, max }) });

const pairOf = (left: fc.Arbitrary<Operand>, right: fc.Arbitrary<Operand>) =>
  fc.record({
    left,
    is: fc.constantFrom("above", "below", "crosses-above", "crosses-below"),
    right,
  } as const);

const priced = fc.oneof(price, indicatorFrom(PRICED));
const percent = indicatorFrom(PERCENT);
const distance = indicatorFrom(DISTANCE);

const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  pairOf(priced, priced),
  pairOf(percent, fc.oneof(percent, numberUpTo(100))),
  pairOf(distance, distance),
  fc.record({
    left: fc.oneof(priced, percent, distance, indicatorFrom({ OBV: ["value"] })),
    is: fc.constantFrom("rises-for", "falls-for"),
    bars: fc.integer({ min: 1, max: 3 }),
  } as const),
);

/** Conditions that pass `checkCondition` and compare no fixed number with a price. */
export const scaleFreeCondition: fc.Arbitrary<AlertCondition> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("comparisons" as const),
      all: fc.array(comparison, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("comparisons" as const),
      all: fc.array(comparison, { minLength: 1, maxLength: 1 }),
      session: fc.constant({ days: [1, 2, 3, 4, 5], fromUtc: "22:00", toUtc: "16:00" }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("every-bars" as const),
      bars: fc.integer({ min: 1, max: 9 }),
    }),
  },
);

/** A random walk with another asset's beside it; the same seed gives the same bars. */
export function randomBars(seed: number, count: number, intervalMinutes = 60): readonly Bar[] {
  const { openTimeMs } = barSpanAt(intervalMinutes, Date.UTC(2024, 0, 1) + seed * 60_000);
  const before = barSpanAt(intervalMinutes, openTimeMs - 1).openTimeMs;
  return withBeside(
    randomWalk(seed, openTimeMs, count, intervalMinutes),
    new Map([["BTC", randomWalk(seed + 0.5e9, before, count, intervalMinutes)]]),
  );
}

/** A random walk in ticks with quiet stretches, from a seed. */
function randomWalk(seed: number, fromMs: number, count: number, intervalMinutes: number): Bar[] {
  const random = seededRandom(seed);
  let openTimeMs = fromMs;
  let close = 100 + random() * 50;
  let isQuiet = false;
  return Array.from({ length: count }, () => {
    const { closeTimeMs } = barSpanAt(intervalMinutes, openTimeMs);
    if (random() < 0.05) isQuiet = !isQuiet;
    const open = close;
    const step = (share: number) => (isQuiet && random() < 0.7 ? 0 : (random() - 0.5) * share);
    const tick = (value: number) => Math.max(1, Math.round(value * 100)) / 100;
    close = tick(open * (1 + step(0.03)));
    const bar = {
      openTimeMs,
      closeTimeMs,
      open,
      high: tick(Math.max(open, close) * (1 + Math.abs(step(0.01)))),
      low: tick(Math.min(open, close) * (1 - Math.abs(step(0.01)))),
      close,
      volume: Math.round(random() * 1_000_000) / 1_000,
    };
    openTimeMs = closeTimeMs;
    return bar;
  });
}

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = Math.trunc(seed);
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
