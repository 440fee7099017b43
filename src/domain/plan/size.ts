import type { Plan } from "./plan.ts";
import { mulDiv } from "../amount.ts";
import { type Market, PRICE_DECIMALS } from "../market.ts";
import type { Side } from "../position.ts";

const PPM = 1_000_000n;

/** Settings of an agent that bound the size of its position. */
export interface SizeSettings {
  readonly plan: Plan | null;
  /** 1 to 5. */
  readonly leverage: number;
  /** 1 to 100. */
  readonly positionSizePercent: number;
}

/** Returns the largest position in percent of the collateral, leverage included. */
export function largestPercentOf({ plan, leverage, positionSizePercent }: SizeSettings): number {
  return leverage * Math.max(positionSizePercent, plan?.maxPositionPercent ?? positionSizePercent);
}

/**
 * Returns how much of an add may be bought: at most what the largest position leaves. `collateral` is the account's
 * value in quote base units.
 */
export function cappedAdd(
  wanted: bigint,
  held: bigint,
  settings: SizeSettings,
  at: {
    readonly collateral: bigint;
    readonly price: bigint;
    readonly market: Pick<Market, "baseDecimals">;
    readonly quoteDecimals: number;
  },
): bigint {
  if (at.collateral <= 0n || at.price <= 0n) return 0n;
  const notional = mulDiv(at.collateral, BigInt(largestPercentOf(settings)), 100n, "down");
  const perWhole = 10n ** BigInt(at.market.baseDecimals + PRICE_DECIMALS);
  const largest = mulDiv(notional, perWhole, at.price * 10n ** BigInt(at.quoteDecimals), "down");
  const room = largest > held ? largest - held : 0n;
  return wanted < room ? wanted : room;
}

/**
 * Returns the price at which the venue liquidates a position of `percent` of its collateral; null where it cannot be
 * liquidated. Rounded towards the entry.
 */
export function liquidationPriceOf(
  side: Side,
  entry: bigint,
  percent: number,
  maintenancePpm: number,
): bigint | null {
  const size = BigInt(percent);
  const kept = BigInt(maintenancePpm);
  if (side === "short") {
    return mulDiv(entry, (size + 100n) * PPM, size * (PPM + kept), "down");
  }
  return size <= 100n ? null : mulDiv(entry, (size - 100n) * PPM, size * (PPM - kept), "up");
}
