import type { Address } from "@solana/kit";
import type { Side } from "../../domain/position.ts";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import type { MarketReading } from "./exchange-reader.ts";
import {
  type MarketAccounts,
  type UserAccounts,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "./instructions.ts";
import type { DriftState } from "./layout-state.ts";
import { auctionOrderParams, limitPrice, takeOrderParams } from "./order-params.ts";
import type { DriftInstance } from "./instance.ts";

/**
 * Lifetime in seconds of an order with an auction: the longest auction the program gives ours, plus time to fill it.
 */
export const ORDER_LIFE_SECONDS = 45n;

/** A requested order before its order type is chosen. */
export interface WantedOrder {
  readonly side: Side;
  readonly baseSize: bigint;
  /** Price from which the worst acceptable price is computed. */
  readonly referencePrice: bigint;
  readonly slippageBps: number;
  readonly reduceOnly: boolean;
}

/** The ordering account and the present state of the exchange. */
export interface OrderSurroundings {
  readonly instance: DriftInstance;
  readonly user: UserAccounts;
  readonly by: Address;
  readonly state: Pick<DriftState, "minPerpAuctionDuration">;
  readonly markets: MarketAccounts;
  readonly nowMs: number;
}

/**
 * Returns the order instruction in the form the exchange can fill now.
 *
 * Without a minimum auction the AMM fills at once, and the order is immediate-or-cancel. With one the AMM fills nothing
 * until the auction is over, so the order has an auction and stays open until it is filled or expires.
 */
export function orderInstruction(
  { instance, user, by, state, markets, nowMs }: OrderSurroundings,
  { market }: Pick<MarketReading, "market">,
  { side, baseSize, referencePrice, slippageBps, reduceOnly }: WantedOrder,
): FullInstruction {
  const tick = market.amm.orderTickSize;
  const within = (bps: number) => limitPrice(side, referencePrice, bps, tick);
  const terms = {
    marketIndex: market.marketIndex,
    side,
    baseSize,
    price: within(slippageBps),
    reduceOnly,
  };
  const duration = state.minPerpAuctionDuration;
  if (duration === 0) {
    return placeAndTakePerpOrder(instance, user, by, takeOrderParams(terms), markets);
  }
  const auction = {
    startPrice: within(0),
    // The program lengthens an auction that moves more than a hundredth of a percent per slot
    endPrice: within(Math.min(slippageBps, duration)),
    duration,
    maxTs: BigInt(Math.floor(nowMs / 1_000)) + ORDER_LIFE_SECONDS,
  };
  return placePerpOrder(instance, user, by, auctionOrderParams(terms, auction), markets);
}
