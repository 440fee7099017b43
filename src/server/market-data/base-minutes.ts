/** Bar lengths requested from exchanges, in minutes; every other length is built from these. */
const BASE_MINUTES = [60, 15, 1] as const;

export type BaseMinutes = (typeof BASE_MINUTES)[number];

/** Returns the longest exchange bar length that divides an interval. */
export const baseOf = (intervalMinutes: number): BaseMinutes =>
  BASE_MINUTES.find((base) => intervalMinutes % base === 0) ?? 1;
