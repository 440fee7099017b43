import { toSafeNumber } from "../../domain/amount.ts";
import type { OrderIntent } from "../../domain/order/order.ts";
import { OrderRefusedError } from "../placed-order.ts";
import {
  type JupiterInstance,
  type SpotAsset,
  type SpotToken,
  assetOf,
  quoteToken,
  baseFor,
  priceOf,
  valueOf,
} from "./instance.ts";
import { minimumOutput } from "./route-instruction.ts";
import type { VaultReading } from "./vault-reader.ts";
import { remainingOf } from "./spending-limits.ts";

const BPS = 10_000n;

/** Smallest entry in quote base units, one whole unit: a smaller position would soon count as dust. */
const MIN_ENTRY = 1_000_000n;

/** An order as a swap: the input, and the smallest acceptable output. */
export interface OrderSwap {
  readonly asset: SpotAsset;
  readonly isBuy: boolean;
  readonly input: SpotToken;
  readonly output: SpotToken;
  /** Input amount in base units. */
  readonly amount: bigint;
  /** Smallest output in base units: the order's reference price less its slippage. */
  readonly minimum: bigint;
}

/**
 * Returns the swap of an order. A buy spends the cost of its size at the reference price.
 *
 * Throws `OrderRefusedError` for a short, for a sale of nothing, below the smallest entry and beyond the trading key's
 * remaining daily limit.
 */
export function swapOf(
  instance: JupiterInstance,
  order: OrderIntent,
  reading: VaultReading,
  nowSeconds: bigint,
): OrderSwap {
  const asset = assetOf(instance, order.market.marketId);
  const holding = reading.assets.find((known) => known.asset === asset);
  const isBuy = order.side === "long";
  if (isBuy === order.reduceOnly) throw new OrderRefusedError("spot_only");
  const quote = quoteToken(instance);
  const held = holding?.held ?? 0n;
  const wanted = isBuy
    ? valueOf(asset, order.baseSize, order.referencePrice)
    : order.baseSize < held
      ? order.baseSize
      : held;
  if (wanted <= 0n) throw new OrderRefusedError(isBuy ? "size_too_small" : "nothing_to_close");
  if (isBuy && wanted < MIN_ENTRY) throw new OrderRefusedError("below_minimum");
  if (isBuy && wanted > (reading.quote.held ?? 0n)) {
    throw new OrderRefusedError("notional_exceeds_collateral");
  }
  const limit = isBuy ? reading.quote.limit : (holding?.limit ?? null);
  if (wanted > remainingOf(limit, nowSeconds)) throw new OrderRefusedError("spending_limit");
  const fair = isBuy
    ? baseFor(asset, wanted, order.referencePrice)
    : valueOf(asset, wanted, order.referencePrice);
  return {
    asset,
    isBuy,
    input: isBuy ? quote : asset,
    output: isBuy ? asset : quote,
    amount: wanted,
    minimum: minimumOutput(fair, order.slippageBps),
  };
}

/** Returns the price of a swap that yields exactly the order's minimum output. */
export function worstPriceOf({ asset, isBuy, amount, minimum }: OrderSwap): bigint {
  if (isBuy) return minimum === 0n ? 0n : priceOf(asset, minimum, amount);
  return priceOf(asset, amount, minimum);
}

/**
 * Returns the slippage in basis points of the quote that makes the program enforce an order's own minimum.
 *
 * Null when the quote itself is below the minimum.
 */
export function slippageFor(minimum: bigint, quoted: bigint, mostBps: number): number | null {
  if (quoted < minimum || quoted <= 0n) return null;
  const room = ((quoted - minimum) * BPS) / quoted;
  return room < BigInt(mostBps) ? toSafeNumber(room) : mostBps;
}

/**
 * Returns whether a quote is within slippage of a price in either direction: a quote far better than the market is
 * wrong too.
 */
export function isNearPrice(
  swap: Pick<OrderSwap, "asset" | "isBuy" | "amount">,
  outAmount: bigint,
  price: bigint,
  slippageBps: number,
): boolean {
  const fair = swap.isBuy
    ? baseFor(swap.asset, swap.amount, price)
    : valueOf(swap.asset, swap.amount, price);
  const distance = outAmount > fair ? outAmount - fair : fair - outAmount;
  return distance * BPS <= fair * BigInt(slippageBps);
}
