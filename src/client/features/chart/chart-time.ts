import { monthName, type Times } from "../../lib/times.ts";

const DAY_SECONDS = 86_400;

/** Returns a date in the chart's format: `21 Nov 2026`. */
function dayText(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${monthName(month)} ${year}`;
}

/**
 * A candle's opening as precise as its length: below a day the time in the zone chosen in the page, else the day.
 *
 * Candles of a day and more begin at 00:00 UTC wherever somebody looks, so their day is the UTC one.
 */
export function candleTimeText(time: number, candleSeconds: number, times: Times): string {
  const atMs = time * 1000;
  if (candleSeconds >= DAY_SECONDS) return dayText(new Date(atMs).toISOString().slice(0, 10));
  return `${dayText(times.date(atMs))}, ${times.time(atMs)}`;
}

/**
 * A mark on the time axis of candles below a day: the time, or the day where it begins in the chosen zone. Where the
 * library marks a day of its own, in UTC, both are said.
 */
export function tickText(time: number, times: Times, isDayMark: boolean): string {
  const clock = times.time(time * 1000);
  const day = String(Number(times.date(time * 1000).slice(8)));
  if (clock === "00:00") return day;
  return isDayMark ? `${day}, ${clock}` : clock;
}
