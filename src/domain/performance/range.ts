/** Selectable time ranges; `all` begins at the first point. */
export const RANGES = ["7d", "30d", "90d", "1y", "all"] as const;

export type Range = (typeof RANGES)[number];

const DAY_MS = 86_400_000;

const DAYS: Readonly<Record<Exclude<Range, "all">, number>> = {
  "7d": 7,
  "30d": 30,
  "90d": 90,
  "1y": 365,
};

/** Returns the start of a range, Unix milliseconds; null for `all`. */
export const rangeStart = (range: Range, nowMs: number): number | null =>
  range === "all" ? null : nowMs - DAYS[range] * DAY_MS;
