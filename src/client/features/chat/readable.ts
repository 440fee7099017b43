/** Maximum nesting depth of quotes and lists; the parser recurses per level. */
const MAX_DEPTH = 20;

/** Maximum emphasis, code and link marks per text run; the parser's time is quadratic in them. */
const MAX_MARKS = 1_000;

/** Spaces per level of list indentation. */
const INDENT = 2;

const LEADING = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/;
const STARTS_ANEW = /^(?:[ \t>]*)(?:\||[-*+][ \t]|\d{1,9}[.)][ \t]|#)/;

function depthOf(line: string): number {
  const lead = LEADING.exec(line)?.[0] ?? "";
  const marks = lead.replaceAll(/[ \t\d.)]+/g, " ").replaceAll(" ", "").length;
  const numbers = lead.match(/\d+/g)?.length ?? 0;
  const indent = /^[ \t]*/.exec(lead)?.[0].length ?? 0;
  return Math.max(marks + numbers, Math.floor(indent / INDENT));
}

const marksOf = (line: string): number => line.match(/[*_~`[\]<!]/g)?.length ?? 0;

/**
 * Returns whether text can be read as markdown without exhausting the stack or the time of the page.
 *
 * Anybody who writes into a chat chooses the text, a model that was lied to included.
 */
export function isReadable(text: string): boolean {
  let marks = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "" || STARTS_ANEW.test(line)) marks = 0;
    marks += marksOf(line);
    if (marks > MAX_MARKS || depthOf(line) > MAX_DEPTH) return false;
  }
  return true;
}
