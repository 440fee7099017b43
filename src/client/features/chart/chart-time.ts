import { monthName, type Times } from "../../lib/time-zone.ts";

const DAY_SECONDS = 86_400;

/** Returns a date in the chart's format: `21 Nov 2026`. */
function dayText(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${monthName(month)} ${year}`;
}

/**
 * Returns a candle's open time as text: the time in the page's time zone for candles shorter than a day, otherwise the
 * date.
 *
 * Candles of a day and longer begin at 00:00 UTC for everybody, so their date is the UTC date.
 */
export function candleTimeText(time: number, candleSeconds: number, times: Times): string {
  const atMs = time * 1000;
  if (candleSeconds >= DAY_SECONDS) return dayText(new Date(atMs).toISOString().slice(0, 10));
  return `${dayText(times.date(atMs))}, ${times.time(atMs)}`;
}

/**
 * Returns the label of a mark on the time axis of candles shorter than a day: the time, or the date where a day begins
 * in the page's time zone. Where the library marks a UTC day, the label has both.
 */
export function tickText(time: number, times: Times, isDayMark: boolean): string {
  const clock = times.time(time * 1000);
  const day = String(Number(times.date(time * 1000).slice(8)));
  if (clock === "00:00") return day;
  return isDayMark ? `${day}, ${clock}` : clock;
}
