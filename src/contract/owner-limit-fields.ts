import * as z from "zod/mini";
import { OWNER_LIMIT_RANGES } from "../domain/owner-limits.ts";

const within = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.optional(z.int().check(z.minimum(least), z.maximum(most)));

/** Limits an owner sets for an agent; an absent limit is not set. Shares in basis points. */
export const ownerLimits = z.strictObject({
  dayLossBps: within(OWNER_LIMIT_RANGES.dayLossBps),
  fallBps: within(OWNER_LIMIT_RANGES.fallBps),
  tradesPerDay: within(OWNER_LIMIT_RANGES.tradesPerDay),
  lossesInRow: within(OWNER_LIMIT_RANGES.lossesInRow),
  assetShareBps: within(OWNER_LIMIT_RANGES.assetShareBps),
});

export type SentOwnerLimits = z.infer<typeof ownerLimits>;
