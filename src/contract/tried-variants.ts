import * as z from "zod/mini";
import { network, serverId, venue } from "./fields.ts";
import { free, route } from "./route.ts";

/** Largest number of variants in one call, those of one grid. */
export const MAX_VARIANTS_PER_CALL = 400;

/** Largest number of variants kept for a wallet, of all markets; later ones are not counted. */
export const MAX_TRIED_VARIANTS = 20_000;

/**
 * Counts variants of an agent that the signed-in wallet tried on a market and returns all it ever tried there, in any
 * browser. A known variant is not counted again; without variants the call only returns the totals.
 */
export const countTriedVariants = route("POST", "/api/tried-variants", {
  ...free("A count trades nothing."),
  access: { kind: "session" },
  body: z.strictObject({
    network,
    venue,
    marketId: z.string().check(z.regex(/^[A-Za-z0-9-]{1,20}$/)),
    variants: z
      .array(
        z.strictObject({
          /** Digest of all settings that decide what the variant trades. */
          variant: serverId,
          /** T statistic of its mean return; null where it is undefined. */
          tStatistic: z.nullable(z.number().check(z.minimum(-1e6), z.maximum(1e6))),
          /** The wallet was shown the variant's result on the kept-out part of the history. */
          isKeptOutSeen: z.boolean(),
        }),
      )
      .check(z.maxLength(MAX_VARIANTS_PER_CALL)),
  }),
  response: z.strictObject({
    tries: z.int(),
    /** Sample variance of their t statistics; 0 for fewer than two. */
    variance: z.number(),
    /** The wallet has reached the largest number; further variants are not counted. */
    isFull: z.boolean(),
    /** Number of variants whose result on the kept-out part the wallet was shown. */
    looks: z.int(),
  }),
});
