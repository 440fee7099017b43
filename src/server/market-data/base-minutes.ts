/** Lengths of the bars asked of exchanges, in minutes; every other length is built from these. */
const BASE_MINUTES = [60, 15, 1] as const;

export type BaseMinutes = (typeof BASE_MINUTES)[number];

/** Returns the longest bars of exchanges that every bar of an interval is made of. */
export const baseOf = (intervalMinutes: number): BaseMinutes =>
  BASE_MINUTES.find((base) => intervalMinutes % base === 0) ?? 1;
