import { hasInvisible, nameKey } from "./name-key.ts";

/** Longest alert name, in UTF-16 units. */
export const MAX_ALERT_NAME_LENGTH = 100;

/** Five or more stacked combining marks: no script needs them, and they paint over neighbouring lines. */
const MARK_PILE = /\p{M}{5,}/u;

/** Returns the form in which alert names are compared and stored beside the name. */
export function alertNameKey(name: string): string {
  return nameKey(name);
}

/**
 * Returns whether a text may be an alert's name.
 *
 * Refuses blank and overlong names, invisible characters, and `.` and `..`, which vanish from a URL path.
 */
export function isAlertNameUsable(name: string): boolean {
  const key = alertNameKey(name);
  if (key === "" || key === "." || key === "..") return false;
  if (name.length > MAX_ALERT_NAME_LENGTH) return false;
  return !hasInvisible(name) && !MARK_PILE.test(name);
}
