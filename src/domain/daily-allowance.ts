import type { AccountState } from "./position.ts";

/** Seconds after which a daily allowance fills up again. */
export const ALLOWANCE_SECONDS = 86_400n;

/** What a trading key may still draw of one token, as the custody program keeps it. Token base units and Unix seconds. */
export interface DailyAllowance {
  readonly amount: bigint;
  readonly remainingAmount: bigint;
  readonly lastReset: bigint;
}

/** Returns what may still be drawn in the period that `nowSeconds` is in. */
export function remainingToday(allowance: DailyAllowance, nowSeconds: bigint): bigint {
  const isOver = nowSeconds - allowance.lastReset > ALLOWANCE_SECONDS;
  return isOver ? allowance.amount : allowance.remainingAmount;
}

/** Returns the allowance after a draw. Periods are whole days from the first one on, whenever something is drawn. */
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
 * Returns what of the money held may back a new position: no more than the key may draw today, and than it could sell
 * again today. Quote base units; `isMissing` when there is no limit that would allow anything.
 */
export function backingUnder(limits: {
  readonly held: bigint;
  readonly drawable: bigint;
  readonly sellable: bigint;
  readonly isMissing: boolean;
}): Pick<AccountState, "freeCollateral" | "bound"> {
  const { held, drawable, sellable, isMissing } = limits;
  const backing = [held, drawable, sellable].reduce((least, each) => (each < least ? each : least));
  return {
    freeCollateral: backing > 0n ? backing : 0n,
    ...(backing < held && {
      bound: { by: isMissing ? "limit_missing" : "limit_used", funds: held },
    }),
  };
}
