import type { AlertCondition } from "./condition.ts";

/** Returns a canonical text that is equal for equivalent conditions, whatever the order of their fields. */
export function conditionKey(condition: AlertCondition | null | undefined): string {
  return JSON.stringify(condition ?? null, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
