import type { AlertCondition, Session } from "../domain/condition/condition.ts";
import { barNumberAt } from "./bar-times.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** Returns the milliseconds since midnight of a time of day, HH:MM. */
export function timeOfDayMs(text: string): number {
  const [hours = "", minutes = ""] = text.split(":");
  return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/** Returns the ISO day of the week, 1 is Monday, of a day number since the Unix epoch, which was a Thursday. */
const isoWeekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** Returns whether a bar may fire, given its open and close and the close of the bar before. */
export type BarClock = (openTimeMs: number, closeTimeMs: number, closeBeforeMs: number) => boolean;

/** Creates the clock of a session; a session that spans midnight belongs to the day it begins on. */
export function createSessionClock({ days, fromUtc, toUtc }: Session): BarClock {
  const from = timeOfDayMs(fromUtc);
  const to = timeOfDayMs(toUtc);
  const length = to > from ? to - from : to - from + DAY_MS;
  return (_openTimeMs, closeTimeMs) => {
    const day = Math.floor((closeTimeMs - from) / DAY_MS);
    return closeTimeMs - from - day * DAY_MS < length && days.includes(isoWeekday(day));
  };
}

/** Creates the clock of a schedule. */
export function createScheduleClock(
  schedule: Exclude<AlertCondition, { readonly kind: "comparisons" }>,
  intervalMinutes: number,
): BarClock {
  if (schedule.kind === "every-bars") {
    return (openTimeMs) => barNumberAt(intervalMinutes, openTimeMs) % schedule.bars === 0;
  }
  const at = timeOfDayMs(schedule.atUtc);
  return (_openTimeMs, closeTimeMs, closeBeforeMs) => {
    // Every occurrence after the last bar's close and up to this bar's close
    for (
      let day = Math.floor((closeTimeMs - at) / DAY_MS);
      day * DAY_MS + at > closeBeforeMs;
      day -= 1
    ) {
      if (schedule.days === undefined || schedule.days.includes(isoWeekday(day))) return true;
    }
    return false;
  };
}
