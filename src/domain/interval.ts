/** Preset time horizons. */
export const INTERVAL_PRESETS = ["30m", "45m", "1h", "2h", "3h", "4h", "6h", "1d", "1w"] as const;

/** Shortest custom interval in minutes. */
export const MIN_INTERVAL_MINUTES = 28;

/** Longest custom interval in minutes, one week. */
export const MAX_INTERVAL_MINUTES = 10_080;

/** Units of an interval by their letter, with their length in minutes. */
export const INTERVAL_UNITS = { m: 1, h: 60, d: 1_440, w: 10_080 } as const;

export type IntervalUnit = keyof typeof INTERVAL_UNITS;

/** How often an agent evaluates its market: a count and a unit. */
export interface Interval {
  readonly count: number;
  readonly unit: IntervalUnit;
  readonly minutes: number;
}

/** Reads text like `90m`, `2h`, `3d` or `1w`. Null when it is not a whole count above zero and a unit. */
export function parseInterval(text: string): Interval | null {
  const match = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  if (match === null) return null;
  const count = Number.parseInt(match[1] ?? "", 10);
  const unit = match[2] as IntervalUnit;
  return { count, unit, minutes: count * INTERVAL_UNITS[unit] };
}

/** Returns whether the interval lies between 28 minutes and one week, both included. */
export function isIntervalInRange(interval: Interval): boolean {
  return interval.minutes >= MIN_INTERVAL_MINUTES && interval.minutes <= MAX_INTERVAL_MINUTES;
}

/** Returns whether the text is one of the presets, so that a dialog need not show the custom field. */
export function isPresetInterval(text: string): boolean {
  return INTERVAL_PRESETS.some((preset) => preset === text);
}

const DAY_MINUTES = INTERVAL_UNITS.d;

/**
 * Returns whether bars of one length add up to whole bars of a longer one, on every machine alike: a multiple of it, and
 * whole days where it is longer than a day. Weeks begin on Monday, other bars of several days do not.
 */
export function isMultipleOf(longerMinutes: number, minutes: number): boolean {
  if (longerMinutes <= minutes || longerMinutes % minutes !== 0) return false;
  if (longerMinutes <= DAY_MINUTES) return true;
  if (longerMinutes % DAY_MINUTES !== 0) return false;
  return longerMinutes !== MAX_INTERVAL_MINUTES || minutes <= DAY_MINUTES;
}

/** Returns the most bars of a length that one bar of a multiple takes; a day's last bar can be shorter than the others. */
export function barsWithin(longerMinutes: number, minutes: number): number {
  if (longerMinutes <= DAY_MINUTES || minutes > DAY_MINUTES) return longerMinutes / minutes;
  return (longerMinutes / DAY_MINUTES) * Math.ceil(DAY_MINUTES / minutes);
}

/** Longer bars a figure needs beside its warm-up: the first seen only in part, and the one that has not closed yet. */
export const PARTIAL_BARS = 2;

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** Returns a length of time in its largest whole unit, for instance 3 min. */
export function lengthText(ms: number): string {
  const [unitMs, unit] = UNITS.find(([length]) => ms >= length) ?? [1_000, "s"];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${unit}`;
}
