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
