import type { OwnerLimits } from "../src/domain/owner-limits.ts";

/** The limits of an agent whose owner has set none. */
export const NO_OWNER_LIMITS: OwnerLimits = {
  dayLossBps: null,
  fallBps: null,
  tradesPerDay: null,
  lossesInRow: null,
  assetShareBps: null,
};
