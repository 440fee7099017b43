import { formatDecimal } from "../../domain/amount.ts";
import { groupThousands } from "../lib/format.ts";

const SOL_DECIMALS = 9;

/** Returns lamports as SOL with its unit. */
export function solText(lamports: bigint): string {
  return tokenText(lamports, SOL_DECIMALS, "SOL");
}

/** Returns base units as decimal text with thousands separators and its unit. */
export function tokenText(units: bigint, decimals: number, symbol: string): string {
  return `${groupThousands(formatDecimal(units, decimals))} ${symbol}`;
}
