import type { AlertCondition } from "./condition.ts";

/** Returns the same text for conditions that say the same, in whatever order their fields stand. */
export function conditionKey(condition: AlertCondition | null | undefined): string {
  return JSON.stringify(condition ?? null, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
