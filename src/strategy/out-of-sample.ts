import { type Measures, measuresOf } from "./measures.ts";
import type { SimulatedCostSum, SimulatedTrade, SimulationResult } from "./simulation.ts";

/** Share of the history, at its end, reserved for out-of-sample testing. */
const OUT_OF_SAMPLE_SHARE = 0.3;

/** Returns the number of in-sample bars among all counted bars. */
export const inSampleCount = (count: number): number =>
  Math.floor(count * (1 - OUT_OF_SAMPLE_SHARE));

/** One run in two parts: the in-sample bars and the out-of-sample bars. */
export interface SampleSplit {
  /** Close time of the last in-sample bar, Unix milliseconds. */
  readonly splitAtMs: number;
  readonly inSample: Measures;
  readonly outOfSample: Measures;
}

/**
 * Splits a run in time; null for fewer than ten bars.
 *
 * A trade counts where it lay. One held across the split counts in both parts, each with its own bars and with what the
 * account gained there, and among the closed trades only where it was closed.
 */
export function splitRun(result: SimulationResult, quoteDecimals: number): SampleSplit | null {
  const count = result.times.length;
  if (count < 10) return null;
  const at = inSampleCount(count);
  const splitAtMs = result.times[at - 1] ?? 0;
  const measure = (part: SimulationResult) => measuresOf(part, quoteDecimals);
  return {
    splitAtMs,
    inSample: measure(partOf(result, 0, at, quoteDecimals)),
    outOfSample: measure(partOf(result, at, count, quoteDecimals)),
  };
}

/** Ends of a trade that is held on beyond its part. */
const HELD_ON = { exitedAtMs: null, endedBy: "open" } as const;

function partOf(
  result: SimulationResult,
  from: number,
  to: number,
  quoteDecimals: number,
): SimulationResult {
  const { times, equity, closes, trades } = result;
  const scale = 10 ** quoteDecimals;
  const unitsAt = (at: number) => BigInt(Math.round((equity[at] ?? 0) * scale));
  const sinceMs = from === 0 ? 0 : (times[from - 1] ?? 0);
  const untilMs = times[to - 1] ?? 0;
  const isLast = to === times.length;
  const startMoney = from === 0 ? result.startMoney : unitsAt(from - 1);
  const endMoney = isLast ? result.endMoney : unitsAt(to - 1);
  const own = trades.flatMap((trade) => {
    const { enteredAtMs, exitedAtMs, bars, funding } = trade;
    const endMs = exitedAtMs ?? Number.POSITIVE_INFINITY;
    const isAfter = enteredAtMs >= sinceMs;
    const isBefore = isLast || endMs <= untilMs;
    if (endMs <= sinceMs || enteredAtMs >= untilMs) return [];
    if (isAfter && isBefore) return [trade];
    const before = times.slice(0, isAfter ? to : from);
    const barsBefore = before.filter((time) => time > enteredAtMs).length;
    const fundingBefore = (funding * BigInt(barsBefore)) / BigInt(Math.max(1, bars));
    const worth = isAfter ? endMoney : startMoney;
    const gained = worth - trade.moneyBefore;
    return isAfter
      ? [{ ...trade, ...HELD_ON, bars: barsBefore, funding: fundingBefore, pnl: gained }]
      : [
          {
            ...trade,
            enteredAtMs: sinceMs,
            moneyBefore: worth,
            bars: bars - barsBefore,
            funding: funding - fundingBefore,
            pnl: trade.pnl - gained,
          },
        ];
  });
  return {
    ...result,
    times: times.slice(from, to),
    equity: equity.slice(from, to),
    closes: closes.slice(from, to),
    startMs: from === 0 ? result.startMs : sinceMs,
    firstOpen: from === 0 ? result.firstOpen : (closes[from - 1] ?? 0),
    startMoney,
    endMoney,
    trades: own,
    exit: isLast ? result.exit : null,
    costs: costsBetween(isLast ? result : { ...result, exit: null }, own, sinceMs, untilMs),
    barsInPosition: own.reduce((sum, { bars }) => sum + bars, 0),
  };
}

function costsBetween(
  { orders, exit }: SimulationResult,
  trades: readonly SimulatedTrade[],
  sinceMs: number,
  untilMs: number,
): SimulatedCostSum {
  const sum = { fees: 0n, spread: 0n, impact: 0n, funding: 0n };
  const inTime = orders.filter(
    ({ decidedAtMs }) => decidedAtMs >= sinceMs && decidedAtMs < untilMs,
  );
  for (const fill of [...inTime.map((order) => order.fill), exit]) {
    if (fill === null) continue;
    sum.fees += fill.fee;
    sum.spread += fill.spreadCost;
    sum.impact += fill.impactCost;
  }
  for (const { funding } of trades) sum.funding += funding;
  return sum;
}
