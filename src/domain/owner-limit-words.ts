import { formatDecimal } from "./amount.ts";
import type { OwnerLimits } from "./owner-limits.ts";

const WORDS: Readonly<Record<keyof OwnerLimits, string>> = {
  dayLossBps: "largest loss a day",
  fallBps: "largest fall from the peak",
  tradesPerDay: "trades a day",
  lossesInRow: "losses in a row before a pause",
  assetShareBps: "most of your agents' money in one asset",
};

/** Returns the name of an owner's limit for use within a sentence. */
export const ownerLimitName = (name: keyof OwnerLimits): string => WORDS[name];

/** Returns the size of a limit in words: 5%, 20, or "no limit". */
export function ownerLimitSize(name: keyof OwnerLimits, limit: number | null): string {
  if (limit === null) return "no limit";
  return name.endsWith("Bps") ? `${formatDecimal(BigInt(limit), 2)}%` : `${limit}`;
}
