import { formatDecimal, parseDecimal, toSafeNumber } from "./amount.ts";

/** Preset slippage limits in basis points: 0.1 % and 0.5 %. */
export const SLIPPAGE_PRESETS_BPS = [10, 50] as const;

/** Default slippage: 0.5 %. */
export const DEFAULT_SLIPPAGE_BPS = 50;

/** Smallest slippage: 0.01 %. */
export const MIN_SLIPPAGE_BPS = 1;

/** Largest slippage: 5 %. */
export const MAX_SLIPPAGE_BPS = 500;

/** Reads percent text like `0.5` as basis points. Null outside 0.01 to 5 and for parts of a basis point. */
export function parseSlippagePercent(text: string): number | null {
  const bps = parseDecimal(text, 2);
  if (bps === null || bps < BigInt(MIN_SLIPPAGE_BPS) || bps > BigInt(MAX_SLIPPAGE_BPS)) return null;
  return toSafeNumber(bps);
}

/** Returns basis points as percent text: 50 is `0.5`. */
export function formatSlippagePercent(bps: number): string {
  return formatDecimal(BigInt(bps), 2);
}
