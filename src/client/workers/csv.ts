/** CSV record: its cells and its first line, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

const DELIMITERS = [",", ";", "\t"] as const;

/** Returns the delimiter: the candidate most frequent in the first line outside quotes. */
export function delimiterOf(text: string): string {
  const end = text.search(/[\r\n]/);
  const head = (end === -1 ? text : text.slice(0, end)).replaceAll(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((each) => [each, head.split(each).length] as const);
  return counts.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

/**
 * Reads records as RFC 4180 has them: quoted cells may hold separators, line breaks and doubled quotes. A cell is text,
 * whatever it begins with. Empty lines are left out; a quote that is never closed ends with the text.
 */
export function* readCsv(text: string, delimiter: string): Generator<CsvRecord> {
  const separator = delimiter.charCodeAt(0);
  let at = text.codePointAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const began = line;
    const cells: string[] = [];
    for (let isOver = false; !isOver;) {
      let cell: string;
      if (text[at] === '"') {
        const quoted = quotedCell(text, at);
        cell = quoted.cell;
        line += quoted.breaks;
        at = quoted.end;
      } else cell = "";
      let end = at;
      for (; end < text.length; end += 1) {
        const code = text.charCodeAt(end);
        if (code === separator || code === 10 || code === 13) break;
      }
      cells.push(cell + text.slice(at, end));
      isOver = text.charCodeAt(end) !== separator || end >= text.length;
      at = end + 1;
      if (isOver && text[end] === "\r" && text[end + 1] === "\n") at += 1;
    }
    line += 1;
    if (cells.length > 1 || cells[0] !== "") yield { line: began, cells };
  }
}

function quotedCell(text: string, start: number) {
  let cell = "";
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) {
      cell += text.slice(at);
      at = text.length;
      break;
    }
    cell += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    cell += '"';
    at += 1;
  }
  return { cell, end: at, breaks: cell.split("\n").length - 1 };
}
