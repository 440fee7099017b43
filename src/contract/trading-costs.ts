import * as z from "zod/mini";
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
  }),
  response: z.strictObject({
    feePpm: share,
    halfSpreadPpm: share,
    impactPpm: share,
    fundingPpmPerDay: share,
    maintenancePpm: share,
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
