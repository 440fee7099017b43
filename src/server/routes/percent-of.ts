import { formatFixed, mulDiv } from "../../domain/amount.ts";

/** Decimals of a percentage on the wire. */
const PERCENT_PLACES = 2;

/** Returns a share in percent with two decimals. */
export const percentOf = (part: bigint, whole: bigint): string =>
  formatFixed(mulDiv(part, 10_000n, whole, "half_up"), PERCENT_PLACES, PERCENT_PLACES);
