import { valuesOf } from "../domain/condition/indicator-table.ts";
import { AverageTrueRange, atr } from "../domain/indicators/atr.ts";
import { CLOSE, HIGH, LOW, OPEN } from "../domain/indicators/indicator.ts";
import { atrLengthsOf, type Plan } from "../domain/plan/plan.ts";
import type { Bar } from "./bar.ts";
import { barSpanAt } from "./bar-times.ts";
import { priceUnits } from "./fill-model.ts";

const MINUTE_MS = 60_000;
const LEAST_BARS = 200;
const PERIODS = 8;

const barsFor = (length: number) =>
  Math.max(LEAST_BARS, PERIODS * atr.lookBack(valuesOf("ATR", [length])));

/** Returns how many bars of a bar's length one of the agent's interval takes. */
export const barsPerInterval = ({ openTimeMs, closeTimeMs }: Bar, intervalMinutes: number) =>
  Math.max(1, Math.ceil((intervalMinutes * MINUTE_MS) / (closeTimeMs - openTimeMs)));

/** Returns the number of closed bars of the agent's interval that a plan's ATR is computed from; 0 without one. */
export const planAtrBars = (plan: Plan | null): number =>
  plan === null ? 0 : Math.max(0, ...atrLengthsOf(plan).map(barsFor));

/**
 * Returns the ATR of each length that a plan names, with six decimals, from closed bars that end before the entry.
 *
 * Each is computed from a fixed number of bars, so that the same bars give the same figure on any machine. Bars may be
 * shorter than the agent's interval. A length without enough bars is absent: its stop has no level.
 */
export function planAtr(
  bars: readonly Bar[],
  plan: Plan,
  intervalMinutes: number,
): ReadonlyMap<number, bigint> {
  const whole = wholeBars(bars, intervalMinutes);
  const found = new Map<number, bigint>();
  for (const length of atrLengthsOf(plan)) {
    const used = whole.slice(-barsFor(length));
    if (used.length <= length) continue;
    const average = new AverageTrueRange(length);
    let value = Number.NaN;
    for (const bar of used) value = average.push(figuresOf(bar));
    const units = priceUnits(value);
    if (units !== null) found.set(length, units);
  }
  return found;
}

function figuresOf(bar: Bar): Float64Array {
  const figures = new Float64Array(5);
  figures[OPEN] = bar.open;
  figures[HIGH] = bar.high;
  figures[LOW] = bar.low;
  figures[CLOSE] = bar.close;
  return figures;
}

/** Returns the closed bars of an interval that shorter bars add up to. */
function wholeBars(bars: readonly Bar[], intervalMinutes: number): readonly Bar[] {
  const [first] = bars;
  const isShorter =
    first !== undefined &&
    first.closeTimeMs - first.openTimeMs < intervalMinutes * MINUTE_MS &&
    barSpanAt(intervalMinutes, first.openTimeMs).closeTimeMs > first.closeTimeMs;
  if (!isShorter) return bars;
  const whole: Bar[] = [];
  let open: Bar | null = null;
  for (const bar of bars) {
    const span = barSpanAt(intervalMinutes, bar.openTimeMs);
    const isNext: boolean = open === null || open.openTimeMs !== span.openTimeMs;
    const before: Bar = open === null || isNext ? { ...bar, ...span } : open;
    open = {
      ...before,
      high: Math.max(before.high, bar.high),
      low: Math.min(before.low, bar.low),
      close: bar.close,
    };
    if (bar.closeTimeMs < span.closeTimeMs) continue;
    whole.push(open);
    open = null;
  }
  return whole;
}
