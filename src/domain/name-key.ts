/**
 * Returns the form in which names are compared: NFKC, case folded, trimmed.
 *
 * Folding goes through upper case, so that pairs like ß and SS meet. Spec: decisions §4
 */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").trim();
}
