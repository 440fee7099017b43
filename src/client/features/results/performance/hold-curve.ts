import type { CandleInterval } from "../../../../domain/candle-interval.ts";
import { returnOver } from "../../../../domain/measures/growth.ts";
import type { LinePoint } from "../../../ui/curve.ts";
import { closeTimeOf } from "../../../../domain/candle-interval.ts";

interface Priced {
  readonly time: number;
  readonly close: number;
}

/** Buy-and-hold curve of an asset: growth by Unix seconds, and spans without prices. */
export interface HoldCurve {
  readonly points: readonly LinePoint[];
  /** Growth over the whole span; null without a price at its start or end. */
  readonly growth: number | null;
  readonly missing: readonly { readonly fromMs: number; readonly toMs: number }[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the candle interval for a span, chosen to give a few hundred candles: holding begins at the last close before
 * the span, which must be near its start.
 */
export function holdInterval(spanMs: number): CandleInterval {
  if (spanMs <= HOUR_MS * 12) return "1m";
  if (spanMs <= 2 * DAY_MS) return "5m";
  if (spanMs <= 8 * DAY_MS) return "1h";
  if (spanMs <= 35 * DAY_MS) return "4h";
  return spanMs <= 100 * DAY_MS ? "12h" : "1d";
}

/** Candles are requested in steps of this many, so that a span that grows does not ask anew every minute. */
const REQUESTED_STEP = 50;

/** Returns the number of candles that cover a span, at most the maximum of one answer. */
export function holdCandles(spanMs: number, interval: CandleInterval): number {
  const needed = Math.ceil(spanMs / closeTimeOf(interval, 0)) + 2;
  return Math.min(1_000, Math.ceil(needed / REQUESTED_STEP) * REQUESTED_STEP);
}

/** Returns the growth of candles relative to the span's first price, with gaps for missing candles. */
export function holdCurve(
  candles: readonly Priced[],
  interval: CandleInterval,
  span: { readonly fromMs: number; readonly toMs: number },
): HoldCurve {
  const step = closeTimeOf(interval, 0);
  const closes = candles.map(({ time, close }) => ({ atMs: time * 1_000 + step, close }));
  const before = closes.findLast(({ atMs }) => atMs <= span.fromMs);
  const inside = closes.filter(({ atMs }) => atMs > span.fromMs && atMs <= span.toMs + step);
  const hasBeginning = before !== undefined && span.fromMs - before.atMs <= 2 * step;
  const first = hasBeginning ? { ...before, atMs: span.fromMs } : inside[0];
  if (first === undefined || first.close <= 0) {
    return { points: [], growth: null, missing: [span] };
  }
  const missing: HoldCurve["missing"][number][] = hasBeginning
    ? []
    : [{ fromMs: span.fromMs, toMs: first.atMs }];
  const points: LinePoint[] = [];
  let last = first.atMs;
  for (const { atMs, close } of hasBeginning ? [first, ...inside] : inside) {
    if (atMs - last > 1.5 * step) {
      missing.push({ fromMs: last, toMs: atMs });
      points.push({ time: Math.floor(last / 1_000) + 1, value: null });
    }
    points.push({
      time: Math.floor(Math.min(atMs, span.toMs) / 1_000),
      value: returnOver(first.close, close),
    });
    last = atMs;
  }
  const hasEnd = span.toMs - last <= 2 * step;
  if (!hasEnd) missing.push({ fromMs: last, toMs: span.toMs });
  return {
    points,
    growth: hasBeginning && hasEnd ? (points.at(-1)?.value ?? null) : null,
    missing,
  };
}
