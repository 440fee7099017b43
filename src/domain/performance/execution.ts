import { mulDiv } from "../amount.ts";
import type { Side } from "../position.ts";
import { percentile } from "./percentile.ts";

/** A filled order with the price it was decided at, quote units with six decimals per whole asset. */
export interface FilledOrder {
  readonly side: Side;
  readonly referencePrice: bigint;
  readonly baseSize: bigint;
  readonly quoteSize: bigint;
  readonly baseDecimals: number;
}

const PRICE_SCALE = 10n ** 6n;

/**
 * Returns the slippage of the fills against the price the order was decided at, quote base units; negative is worse.
 */
export function slippageOf(order: FilledOrder, quoteDecimals: number): bigint {
  const { side, referencePrice, baseSize, quoteSize, baseDecimals } = order;
  const perWhole = 10n ** BigInt(baseDecimals) * PRICE_SCALE;
  const worth = mulDiv(
    baseSize * 10n ** BigInt(quoteDecimals),
    referencePrice,
    perWhole,
    "half_up",
  );
  return side === "long" ? worth - quoteSize : quoteSize - worth;
}

/** Returns median and 95th percentile of latencies in milliseconds; null without any. */
export function latencyOf(
  waits: readonly number[],
): { readonly p50: number; readonly p95: number; readonly orders: number } | null {
  const [p50, p95] = [percentile(waits, 0.5), percentile(waits, 0.95)];
  return p50 === null || p95 === null ? null : { p50, p95, orders: waits.length };
}
