import * as z from "zod/mini";
import { CANDLE_INTERVALS, isAscending, isCandle } from "../domain/candle-interval.ts";
import { network } from "./fields.ts";
import { wholeNumber } from "./codec.ts";
import { OPEN, route } from "./route.ts";

/** Times in Unix seconds, prices and volume as the source gives them; figures that cannot be a candle are refused. */
export const candle = z
  .strictObject({
    time: z.int(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number(),
  })
  .check(z.refine(isCandle));

/**
 * `network` selects the prices that its agents trade at; without it the deployment's real market is used, if it has
 * one. `source` names the source of the candles; `practice market` is not a market price.
 */
export const listCandles = route("GET", "/api/candles", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 300 },
  query: z.strictObject({
    network: z.optional(network),
    symbol: z.string().check(z.regex(/^[A-Z0-9]{2,20}$/)),
    interval: z.enum(CANDLE_INTERVALS),
    limit: wholeNumber(/^\d{1,4}$/, (count) => Math.min(1000, Math.max(1, count))),
  }),
  response: z.strictObject({
    source: z.string(),
    /** Oldest first, each time once. */
    candles: z
      .array(candle)
      .check(z.refine((candles) => isAscending(candles.map(({ time }) => time)))),
  }),
});
