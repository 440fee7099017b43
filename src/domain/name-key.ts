/**
 * Returns the form in which names are compared: NFKC, case folded, trimmed.
 *
 * Folding goes through upper case, so that pairs like ß and SS meet, and comes from lower case, so that ẞ joins them.
 */
export function nameKey(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize("NFKC").trim();
}
