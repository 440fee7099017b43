/** Clock difference in milliseconds from which the server refuses alerts as future and displayed times mislead. */
const WORTH_SAYING_MS = 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const counted = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? "" : "s"}`;

function lengthOf(ms: number): string {
  if (ms >= 2 * DAY_MS) return counted(Math.round(ms / DAY_MS), "day");
  if (ms >= 2 * HOUR_MS) return counted(Math.round(ms / HOUR_MS), "hour");
  return counted(Math.round(ms / MINUTE_MS), "minute");
}

/** Returns a warning about the difference between device and server clock; null when small or unknown. */
export function clockFault(dateHeader: string | null, nowMs: number): string | null {
  const gap = nowMs - Date.parse(dateHeader ?? "");
  if (Number.isNaN(gap) || Math.abs(gap) < WORTH_SAYING_MS) return null;
  const side = gap > 0 ? "ahead of" : "behind";
  return `This device's clock is ${lengthOf(Math.abs(gap))} ${side} the server's. Set it right, then send again.`;
}
