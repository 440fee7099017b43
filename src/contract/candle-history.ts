import * as z from "zod/mini";
import { isAscending, isCandle } from "../domain/candle-interval.ts";
import { network } from "./fields.ts";
import { wholeNumber } from "./codec.ts";
import { OPEN, route } from "./route.ts";

/** Largest number of bars in one response; further bars come with the next call. */
export const MAX_HISTORY_PAGE_BARS = 20_000;

/** Longest bar of a history, one week in minutes. */
export const MAX_HISTORY_INTERVAL_MINUTES = 10_080;

export const unixMs = wholeNumber(/^\d{1,14}$/);

const figures = z.array(z.number());

/** Columns of equal length, oldest bar first. A bar's close time follows from its open time and the interval. */
export const barColumns = z
  .strictObject({
    /** Unix milliseconds. */
    openTimeMs: z.array(z.int()),
    open: figures,
    high: figures,
    low: figures,
    close: figures,
    volume: figures,
  })
  .check(
    z.refine(
      ({ openTimeMs, open, high, low, close, volume }) =>
        isAscending(openTimeMs) &&
        [open, high, low, close, volume].every(({ length }) => length === openTimeMs.length) &&
        open.every((first, at) =>
          isCandle({
            open: first,
            high: high[at] ?? 0,
            low: low[at] ?? 0,
            close: close[at] ?? 0,
            volume: volume[at] ?? 0,
          }),
        ),
    ),
  );

/** A period with missing bars; from inclusive, to exclusive, Unix milliseconds. */
export const barGap = z.strictObject({ fromMs: z.int(), toMs: z.int() });

/** Two contradictory figures for the same time; nothing is traded on such a bar. */
export const barContradiction = z.strictObject({
  /** Close of the bar, Unix milliseconds. */
  closedAtMs: z.int(),
  /** Both figures in one sentence. */
  text: z.string(),
});

/**
 * Closed bars of a market, oldest first: those that open at or after `from` and close at or before `to`, Unix
 * milliseconds. Bars are aligned as in `barSpanAt`.
 *
 * `nextFromMs` is the `from` of the next call, null when the response is complete. A bar with missing data is left out
 * and its period is listed among the gaps.
 */
export const getCandleHistory = route("GET", "/api/candles/history", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 300 },
  query: z.strictObject({
    network: z.optional(network),
    symbol: z.string().check(z.regex(/^[A-Z0-9]{2,20}$/)),
    intervalMinutes: wholeNumber(/^[1-9]\d{0,4}$/, (minutes) =>
      Math.min(MAX_HISTORY_INTERVAL_MINUTES, minutes),
    ),
    from: unixMs,
    to: unixMs,
  }),
  response: z.strictObject({
    /** Source of the bars; `practice market` is not a market price. */
    source: z.string(),
    bars: barColumns,
    gaps: z.array(barGap),
    contradictions: z.array(barContradiction),
    nextFromMs: z.nullable(z.int()),
  }),
});
