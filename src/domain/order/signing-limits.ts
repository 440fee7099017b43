import { mulDiv } from "../amount.ts";
import { MAX_EXIT_LIMIT_BPS } from "../exit.ts";
import { isExitPriceUsable, isPriceUsable, type PriceReading } from "./risk.ts";
import type { Side } from "../position.ts";

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
  const isUsable = order.reduceOnly ? isExitPriceUsable : isPriceUsable;
  if (market === null || !isUsable(market, nowMs)) return "there is no price to hold it against";
  const bound = BigInt(order.reduceOnly ? MAX_EXIT_LIMIT_BPS : slippageBps) + MOVE_ALLOWANCE_BPS;
  const isWithin =
    order.side === "long"
      ? order.price <= mulDiv(market.price, BPS + bound, BPS, "down")
      : order.price >= mulDiv(market.price, BPS - bound, BPS, "up");
  return isWithin ? null : TOO_FAR;
}

/** Returns why an entry with this notional must not be signed given the account's free collateral, or null. */
export function refuseSize(notional: bigint, free: bigint): string | null {
  return notional > mulDiv(free, BPS + MOVE_ALLOWANCE_BPS, BPS, "down") ? TOO_LARGE : null;
}

/** Returns the refusal of an entry of an agent that may only reduce. */
export const refuseAnyEntry = (unsigned: string | null | undefined): string =>
  unsigned == null ? "the agent only reduces" : `the agent only reduces: ${unsigned}`;
