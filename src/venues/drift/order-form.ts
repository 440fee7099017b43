import type { Address } from "@solana/kit";
import type { Side } from "../../domain/position.ts";
import type { FullInstruction } from "../../solana/encoding/instruction.ts";
import type { MarketReading } from "./exchange-reader.ts";
import {
  type MarketAccounts,
  placeAndTakePerpOrder,
  placePerpOrder,
  type UserAccounts,
} from "./instructions.ts";
import type { DriftState } from "./layout-state.ts";
import { auctionOrderParams, limitPrice, takeOrderParams } from "./order-params.ts";
import type { DriftInstance } from "./instance.ts";

/** How long an order with an auction may live: the longest auction the program makes of ours, and time to fill it after. */
export const ORDER_LIFE_SECONDS = 45n;

/** An order before its form is chosen. */
export interface WantedOrder {
  readonly side: Side;
  readonly baseSize: bigint;
  /** Price the worst acceptable one is reckoned from. */
  readonly referencePrice: bigint;
  readonly slippageBps: number;
  readonly reduceOnly: boolean;
}

/** Who orders, and what the exchange says at that moment. */
export interface OrderSurroundings {
  readonly instance: DriftInstance;
  readonly user: UserAccounts;
  readonly by: Address;
  readonly state: Pick<DriftState, "minPerpAuctionDuration">;
  readonly markets: MarketAccounts;
  readonly nowMs: number;
}

/**
 * Returns the instruction that orders, in the form the exchange fills now.
 *
 * Where it asks for no auction the market maker fills at once, and the order takes or is gone. Where it does, the market
 * maker fills nothing until the auction is over, so the order has one and lives until it was filled or dies.
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
    // The program lengthens an auction that moves more than a hundredth of a percent a slot
    endPrice: within(Math.min(slippageBps, duration)),
    duration,
    maxTs: BigInt(Math.floor(nowMs / 1_000)) + ORDER_LIFE_SECONDS,
  };
  return placePerpOrder(instance, user, by, auctionOrderParams(terms, auction), markets);
}
