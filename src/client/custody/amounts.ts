import { formatDecimal } from "../../domain/amount.ts";

const SOL_DECIMALS = 9;

/** Returns lamports as SOL with its unit. */
export function solText(lamports: bigint): string {
  return `${formatDecimal(lamports, SOL_DECIMALS)} SOL`;
}

/** Returns base units as decimal text with its unit. */
export function tokenText(units: bigint, decimals: number, symbol: string): string {
  return `${formatDecimal(units, decimals)} ${symbol}`;
}
