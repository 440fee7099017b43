/** Longest agent name in characters. */
export const MAX_AGENT_NAME = 120;

const PLAIN = /^[ -~]*$/;

/** Control and format characters, lone surrogates, private use, line separators, invisible characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Returns whether a name has characters that are not seen, or that change how those around them are seen. */
export const hasInvisible = (name: string): boolean => !isPlain(name) && INVISIBLE.test(name);

/**
 * Returns a name in quotes for a text that a person signs: quotes and backslashes of its own are escaped, and so is what
 * is not seen, which names of earlier versions may have.
 */
export function quoteName(name: string): string {
  const escaped = name.replaceAll(/["\\]/g, String.raw`\$&`);
  const shown = escaped.replaceAll(
    new RegExp(INVISIBLE, "gu"),
    (each) => String.raw`\u{${each.codePointAt(0)?.toString(16) ?? ""}}`,
  );
  return `"${shown}"`;
}

/** Returns whether a name is of ASCII's visible characters alone, as nearly all are; only their case can be folded. */
export const isPlain = (name: string): boolean => PLAIN.test(name);

/**
 * Returns the form in which names are compared: NFKC, case folded, trimmed.
 *
 * Folding goes through upper case, so that pairs like ß and SS meet, and comes from lower case, so that ẞ joins them.
 */
export function nameKey(name: string): string {
  if (isPlain(name)) return name.toLowerCase().trim();
  const folded = name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize("NFKC").trim();
}

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
