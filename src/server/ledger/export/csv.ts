/** What a spreadsheet takes for a formula when a cell begins with it. */
const FORMULA = /^[=+\-@\t\r]/;

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Returns one line of a CSV file (RFC 4180).
 *
 * Text that a spreadsheet would run as a formula gets an apostrophe before it; numbers, negative ones too, stay numbers.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
