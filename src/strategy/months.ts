/** Return of a calendar month (UTC) as a share: 0.1 is ten percent. */
export interface MonthReturn {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly totalReturn: number;
}

/** Returns the account's return in each month, oldest first; the first and last month may be partial. */
export function monthReturns(
  start: number,
  times: ArrayLike<number>,
  worths: ArrayLike<number>,
): MonthReturn[] {
  const months: MonthReturn[] = [];
  let before = start;
  for (let at = 0; at < times.length; at += 1) {
    // A bar that closes at midnight belongs to the day before
    const here = new Date((times[at] ?? 0) - 1);
    const next = at + 1 < times.length ? new Date((times[at + 1] ?? 0) - 1) : null;
    const isSameMonth =
      next?.getUTCMonth() === here.getUTCMonth() && next.getUTCFullYear() === here.getUTCFullYear();
    if (isSameMonth) continue;
    const worth = worths[at] ?? 0;
    months.push({
      year: here.getUTCFullYear(),
      month: here.getUTCMonth() + 1,
      totalReturn: before > 0 ? worth / before - 1 : 0,
    });
    before = worth;
  }
  return months;
}
