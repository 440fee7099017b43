import { toSafeNumber } from "../../domain/amount.ts";
import type { DriftState } from "./layout-state.ts";
import { type DriftUserStats, REFERRER_STATUS } from "./layout-user-stats.ts";
import type { DriftUser } from "./layout-user.ts";

/**
 * Age in seconds below which an exchange that charges for opening accounts refuses deletion. Source:
 * validate_user_deletion
 */
export const LEAST_AGE_SECONDS = 13n * 24n * 60n * 60n;

type TradeTimes = Pick<
  DriftUserStats,
  "lastMakerVolume30dTs" | "lastTakerVolume30dTs" | "lastFillerVolume30dTs"
>;

/** Returns the oldest time in an authority's statistics, Unix seconds: from it the exchange counts the age. */
export const firstTradeAt = (stats: TradeTimes): bigint =>
  [stats.lastMakerVolume30dTs, stats.lastTakerVolume30dTs, stats.lastFillerVolume30dTs].reduce(
    (least, at) => (at < least ? at : least),
  );

/**
 * Returns the Unix milliseconds from which the exchange allows the user's deletion, if it is empty; null when that is
 * now, `never` for the account that somebody named as his referrer.
 */
export function deletableAt(
  state: Pick<DriftState, "maxInitializeUserFee">,
  stats: TradeTimes & Pick<DriftUserStats, "referrerStatus">,
  user: Pick<DriftUser, "idle" | "subAccountId">,
  nowMs: number,
): number | "never" | null {
  const isReferrer = (stats.referrerStatus & REFERRER_STATUS.isReferrer) !== 0;
  if (isReferrer && user.subAccountId === 0) return "never";
  if (state.maxInitializeUserFee === 0 || user.idle) return null;
  const atMs = toSafeNumber(firstTradeAt(stats) + LEAST_AGE_SECONDS) * 1000;
  return nowMs >= atMs ? null : atMs;
}
