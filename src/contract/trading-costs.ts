import * as z from "zod/mini";
import { unixMs } from "./candle-history.ts";
import { network, venue } from "./fields.ts";
import { OPEN, route, type ResponseOf } from "./route.ts";

const share = z.int();
const baseUnits = z.codec(z.string().check(z.regex(/^\d{1,20}$/)), z.custom<bigint>(), {
  decode: BigInt,
  encode: String,
});

/** Trading costs of a market as its venue reports them; shares in millionths, sizes in base units as decimal digits. */
export const getTradingCosts = route("GET", "/api/trading-costs", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 300 },
  freshMs: 600_000,
  query: z.strictObject({
    network,
    venue,
    marketId: z.string().check(z.regex(/^[A-Za-z0-9-]{1,20}$/)),
    /** Span of the past that published funding is asked for, Unix milliseconds. */
    from: z.optional(unixMs),
    to: z.optional(unixMs),
  }),
  response: z.strictObject({
    feePpm: share,
    halfSpreadPpm: share,
    impactPpm: share,
    fundingPpmPerDay: share,
    maintenancePpm: share,
    /**
     * Half spreads measured on live prices by hour of the day, UTC, 24 of them; null for an hour with too few. Absent where
     * none is measured.
     */
    halfSpreadPpmByHour: z.optional(z.array(z.nullable(share))),
    /**
     * Funding rates that a source published for the span asked for, oldest first, in millionths of the position's value;
     * absent where none was asked for or no source answered.
     */
    publishedFunding: z.optional(
      z.strictObject({ source: z.string(), atMs: z.array(z.int()), ppm: z.array(z.number()) }),
    ),
    minBaseSize: baseUnits,
    baseStep: baseUnits,
    quoteSymbol: z.string(),
    quoteDecimals: z.int(),
    /** Short note on the source of each figure. */
    sources: z.strictObject({
      fee: z.string(),
      spread: z.string(),
      impact: z.string(),
      funding: z.string(),
      minimum: z.string(),
    }),
  }),
});

export type MarketCosts = ResponseOf<typeof getTradingCosts>;
