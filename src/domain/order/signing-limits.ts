import { mulDiv } from "../amount.ts";
import { MAX_EXIT_LIMIT_BPS, protectiveLimitBps } from "../exit.ts";
import { isEntryPriceUsable, isExitPriceUsable, type PriceReading } from "./risk.ts";
import { type Distance, PLAN_RANGES } from "../plan/plan.ts";
import type { Position, Side } from "../position.ts";

/** Largest move of a market between deciding on an order and signing it, in basis points. */
export const MOVE_ALLOWANCE_BPS = 50n;

const BPS = 10_000n;

const TOO_FAR = "its price is too far from the market's";

const TOO_LARGE = "it is larger than the account";

/** Returns whether a refusal is caused by a market move after the order was decided on. */
export function isMarketMove(refusal: string): boolean {
  return refusal === TOO_FAR || refusal === TOO_LARGE;
}

/** Returns why an order must not be signed at its worst price, or null; all prices in quote units with six decimals. */
export function refusePrice(
  order: { readonly side: Side; readonly price: bigint; readonly reduceOnly: boolean },
  market: PriceReading | null,
  { slippageBps, nowMs }: { readonly slippageBps: number; readonly nowMs: number },
): string | null {
  const isUsable = order.reduceOnly ? isExitPriceUsable : isEntryPriceUsable;
  if (market === null || !isUsable(market, nowMs)) return "there is no price to hold it against";
  const bound = BigInt(order.reduceOnly ? MAX_EXIT_LIMIT_BPS : slippageBps) + MOVE_ALLOWANCE_BPS;
  const isWithin =
    order.side === "long"
      ? order.price <= mulDiv(market.price, BPS + bound, BPS, "down")
      : order.price >= mulDiv(market.price, BPS - bound, BPS, "up");
  return isWithin ? null : TOO_FAR;
}

/** A reducing order that rests until the market's price is beyond its trigger. */
interface ProtectiveTerms {
  readonly side: Side;
  readonly baseSize: bigint;
  readonly price: bigint;
  readonly triggerPrice: bigint;
  readonly triggersWhen: "above" | "below";
}

/**
 * Returns why a protective order must not be signed, or null: it may only close what is held, and at no price further
 * from its trigger than its limit. A stop fills when the market is beyond its trigger already, and so within that limit
 * of the market; one that is triggered by a gain could be signed far behind the market, so that its trigger may not be.
 */
export function refuseProtective(
  { side, baseSize, price, triggerPrice, triggersWhen }: ProtectiveTerms,
  market: PriceReading | null,
  {
    position,
    slippageBps,
    nowMs,
  }: { readonly position: bigint; readonly slippageBps: number; readonly nowMs: number },
): string | null {
  const isLong = side === "long";
  const held = isLong ? -position : position;
  if (held <= 0n) return "there is no position that it protects";
  if (baseSize > held) return "it is larger than the position";
  const bound = BigInt(protectiveLimitBps(slippageBps));
  const isWithin = isLong
    ? price <= mulDiv(triggerPrice, BPS + bound, BPS, "down")
    : price >= mulDiv(triggerPrice, BPS - bound, BPS, "up");
  if (!isWithin) return "its price is too far from its trigger";
  if ((triggersWhen === "below") !== isLong) return null;
  if (market === null || !isExitPriceUsable(market, nowMs)) {
    return "there is no price to hold it against";
  }
  const isAhead = isLong
    ? triggerPrice <= mulDiv(market.price, BPS + MOVE_ALLOWANCE_BPS, BPS, "down")
    : triggerPrice >= mulDiv(market.price, BPS - MOVE_ALLOWANCE_BPS, BPS, "up");
  return isAhead ? null : TOO_FAR;
}

/**
 * Returns why a stop does not protect a position as its plan says, or null: a loss triggers it, it is as large, and from
 * the average entry at most as far, with half a percent for how that is rounded. A multiple of the ATR is held to the farthest stop a plan
 * can have, because nobody signs the ATR.
 */
export function refuseStop(
  { baseSize, triggerPrice, triggersWhen }: Omit<ProtectiveTerms, "side" | "price">,
  { side, baseSize: held, entryPrice }: Pick<Position, "side" | "baseSize" | "entryPrice">,
  { at, step }: { readonly at: Distance; readonly step: bigint },
): string | null {
  if ((triggersWhen === "below") !== (side === "long")) return "no loss triggers the stop";
  if (baseSize < held - (held % step)) return "the stop is smaller than the position";
  const most = BigInt(at.kind === "percent" ? at.bps : PLAN_RANGES.stopBps.most);
  const away = side === "long" ? entryPrice - triggerPrice : triggerPrice - entryPrice;
  return away * BPS <= entryPrice * (most + MOVE_ALLOWANCE_BPS)
    ? null
    : "the stop is farther than the plan's";
}

/**
 * Returns why an entry with this notional must not be signed, or null: it fits the free collateral times the leverage
 * that the owner signed, and with what the account holds already that leverage of its worth.
 */
export function refuseSize(
  notional: bigint,
  { worth, free, held }: { readonly worth: bigint; readonly free: bigint; readonly held: bigint },
  leverage: number,
): string | null {
  const most = (amount: bigint) =>
    mulDiv(amount * BigInt(leverage), BPS + MOVE_ALLOWANCE_BPS, BPS, "down");
  return notional > most(free) || held + notional > most(worth) ? TOO_LARGE : null;
}

/** Returns the refusal of an entry of an agent that may only reduce. */
export const refuseAnyEntry = (unsigned: string | null | undefined): string =>
  unsigned == null ? "the agent only reduces" : `the agent only reduces: ${unsigned}`;
