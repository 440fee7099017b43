/** Leading characters of a cell that a spreadsheet treats as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Returns one line of a CSV file (RFC 4180).
 *
 * Text that a spreadsheet would treat as a formula is prefixed with an apostrophe; numbers, including negative ones,
 * are unchanged.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
