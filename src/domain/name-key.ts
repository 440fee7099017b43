const PLAIN = /^[ -~]*$/;

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
