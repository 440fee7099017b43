import type { AccountState } from "./position.ts";

/** Period of a daily allowance in seconds; the full amount is restored after it. */
export const ALLOWANCE_SECONDS = 86_400n;

/**
 * Remaining daily spending limit of a trading key for one token, as the custody program stores it. Token base units and
 * Unix seconds.
 */
export interface DailyAllowance {
  readonly amount: bigint;
  readonly remainingAmount: bigint;
  readonly lastReset: bigint;
}

/** Returns the remaining amount in the period that contains `nowSeconds`. */
export function remainingToday(allowance: DailyAllowance, nowSeconds: bigint): bigint {
  const isOver = nowSeconds - allowance.lastReset > ALLOWANCE_SECONDS;
  return isOver ? allowance.amount : allowance.remainingAmount;
}

/** Returns the allowance after a draw. Periods are whole days counted from the first one, not from the draw. */
export function afterDraw(
  allowance: DailyAllowance,
  drawn: bigint,
  nowSeconds: bigint,
): DailyAllowance {
  const left = remainingToday(allowance, nowSeconds) - drawn;
  const passed = nowSeconds - allowance.lastReset;
  const days = passed > ALLOWANCE_SECONDS ? passed / ALLOWANCE_SECONDS : 0n;
  return {
    ...allowance,
    remainingAmount: left > 0n ? left : 0n,
    lastReset: allowance.lastReset + days * ALLOWANCE_SECONDS,
  };
}

/**
 * Returns how much of the money held may back a new position: limited by what the key may still spend today and by what
 * it could sell again today. Quote base units; `isMissing` when a limit that a trade needs does not exist.
 */
export function backingUnder(limits: {
  readonly held: bigint;
  readonly drawable: bigint;
  readonly sellable: bigint;
  readonly isMissing: boolean;
  readonly isDrawn: boolean;
}): Pick<AccountState, "freeCollateral" | "bound"> {
  const { held, drawable, sellable, isMissing, isDrawn } = limits;
  const backing = [held, drawable, sellable].reduce((least, each) => (each < least ? each : least));
  return {
    freeCollateral: backing > 0n ? backing : 0n,
    ...(backing < held && {
      bound: { by: isMissing ? "limit_missing" : "limit_used", funds: held, isDrawn },
    }),
  };
}
