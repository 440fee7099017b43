const DAY_SECONDS = 86_400;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (part: number) => String(part).padStart(2, "0");

/** A candle's opening in UTC, as precise as its length: `21 Nov 2026`, or with the time below a day. */
export function candleTimeText(time: number, candleSeconds: number): string {
  const date = new Date(time * 1000);
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""} ${date.getUTCFullYear()}`;
  if (candleSeconds >= DAY_SECONDS) return day;
  return `${day}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}
