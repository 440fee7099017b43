import type { ConditionFault } from "./condition-fault.ts";

/** Returns what is wrong with a time of day, HH:MM. Null when nothing is. */
export function checkTimeOfDay(field: string, text: string): ConditionFault | null {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)
    ? null
    : { field, reason: "The time is HH:MM in UTC, from 00:00 to 23:59." };
}

/** Returns what is wrong with a list of ISO days of the week. Null when nothing is. */
export function checkDays(field: string, days: readonly number[]): ConditionFault | null {
  if (days.length === 0) return { field, reason: "At least one day of the week is needed." };
  const isListed = days.every((day) => Number.isInteger(day) && day >= 1 && day <= 7);
  return isListed && new Set(days).size === days.length
    ? null
    : { field, reason: "Days are numbers from 1, Monday, to 7, Sunday, each once." };
}
