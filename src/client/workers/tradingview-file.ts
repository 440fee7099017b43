import { nameKey } from "../../domain/name-key.ts";

/** Maximum file size, in bytes. */
export const MAX_FILE_BYTES = 20_000_000;

/** Maximum number of rows read; TradingView's own exports are far smaller. */
const MAX_ROWS = 200_000;

/** Maximum number of event kinds, since the user maps each by hand. */
const MAX_LABELS = 100;

/** Maximum number of unreadable rows reported one by one. */
const TOLD_PROBLEMS = 50;

export type FileKind = "alert log" | "list of trades";

/** File event that can be mapped to an alert. */
export interface ImportedEvent {
  /** Index into `labels`. */
  readonly label: number;
  readonly atMs: number;
  /** Price; null when the file has none. */
  readonly price: number | null;
}

/** Parsed file with its unreadable rows. */
export interface ImportedFile {
  readonly kind: FileKind;
  /** Event kinds, for instance "Entry long: Breakout", with their number of events. */
  readonly labels: readonly { readonly text: string; readonly count: number }[];
  /** Events, oldest first; at equal times closing events precede opening ones. */
  readonly events: readonly ImportedEvent[];
  readonly rows: number;
  readonly problems: readonly { readonly line: number; readonly text: string }[];
  readonly problemCount: number;
}

/** Refused file; the message is a sentence for the user. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
}

type Reading =
  | {
      readonly ok: true;
      readonly label: string;
      readonly atMs: number;
      readonly price: number | null;
      readonly isExit: boolean;
    }
  | { readonly ok: false; readonly text: string };

type RowReader = (cells: readonly string[]) => Reading;

export const fileTooLarge = () =>
  new FileRefusedError(`The file is larger than ${MAX_FILE_BYTES / 1_000_000} MB.`);

/** Decodes a file as text; throws FileRefusedError for a binary or too large one. */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_FILE_BYTES) throw fileTooLarge();
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  const head = bytes.subarray(0, 100_000);
  const text = new TextDecoder(encoding).decode(bytes);
  if ((!isUtf16 && head.includes(0)) || text.slice(0, 1_000).includes("\ufffd")) {
    throw new FileRefusedError("This is no text file. Export the list as CSV.");
  }
  return text;
}

/** Parses an alert log or a strategy tester's list of trades; times without a zone are in `zone`. */
export function readTradingViewFile(text: string, zone: string): ImportedFile {
  const records = readCsv(text, delimiterOf(text));
  const head = records.next().value as CsvRecord | undefined;
  const { kind, read } = rowReaderOf(head?.cells ?? [], zone);
  const labels = new Map<string, { at: number; count: number }>();
  const events: (ImportedEvent & { isExit: boolean })[] = [];
  const problems: { line: number; text: string }[] = [];
  let problemCount = 0;
  let rows = 0;
  for (const { line, cells } of records) {
    rows += 1;
    if (rows > MAX_ROWS) throw new FileRefusedError(`The file has more than ${MAX_ROWS} rows.`);
    const row = read(cells);
    if (!row.ok) {
      problemCount += 1;
      if (problems.length < TOLD_PROBLEMS) problems.push({ line, text: row.text });
      continue;
    }
    const known = labels.get(row.label) ?? { at: labels.size, count: 0 };
    labels.set(row.label, { ...known, count: known.count + 1 });
    if (labels.size > MAX_LABELS) {
      throw new FileRefusedError(`The file has more than ${MAX_LABELS} different events.`);
    }
    events.push({ label: known.at, atMs: row.atMs, price: row.price, isExit: row.isExit });
  }
  events.sort((a, b) => a.atMs - b.atMs || Number(b.isExit) - Number(a.isExit));
  return {
    kind,
    labels: [...labels].map(([name, { count }]) => ({ text: name, count })),
    events: events.map(({ label, atMs, price }) => ({ label, atMs, price })),
    rows,
    problems,
    problemCount,
  };
}

function rowReaderOf(head: readonly string[], zone: string): { kind: FileKind; read: RowReader } {
  const names = head.map((name) => name.trim().toLowerCase().replaceAll("\u00a0", " "));
  const find = (...wanted: readonly RegExp[]) =>
    names.findIndex((name) => wanted.some((each) => each.test(name)));
  const readTime = createTimeReader(zone);
  const trade = find(/^trade (#|number)$/);
  const type = find(/^type$/);
  const when = find(/^date\/time$/, /^date and time$/);
  if (trade !== -1 && type !== -1 && when !== -1) {
    const columns = { type, when, signal: find(/^signal$/), price: find(/^price( |$)/) };
    return { kind: "list of trades", read: (cells) => readTradeRow(cells, columns, readTime) };
  }
  const time = find(/^time$/);
  if (find(/^alert id$/) !== -1 && time !== -1) {
    const columns = { time, name: find(/^name$/), description: find(/^description$/) };
    return { kind: "alert log", read: (cells) => readAlertRow(cells, columns, readTime) };
  }
  throw new FileRefusedError(
    "The columns are neither those of TradingView's alert log (Alert ID, Ticker, Name, Description, Time) nor of its list of trades (Trade number, Type, Date and time, Signal, Price), in English.",
  );
}

function readTradeRow(
  cells: readonly string[],
  at: {
    readonly type: number;
    readonly when: number;
    readonly signal: number;
    readonly price: number;
  },
  readTime: (text: string) => number | null,
): Reading {
  const type = /^(entry|exit) (long|short)$/i.exec((cells[at.type] ?? "").trim());
  if (type === null) return { ok: false, text: `"${clip(cells[at.type])}" is no entry or exit` };
  const time = (cells[at.when] ?? "").trim();
  if (time === "" || /^open$/i.test(time)) return { ok: false, text: "still open" };
  const atMs = readTime(time);
  if (atMs === null) return { ok: false, text: `"${clip(time)}" is no time` };
  const signal = clip(cells[at.signal]);
  const isExit = type[1]?.toLowerCase() === "exit";
  const side = type[2]?.toLowerCase();
  const what = `${isExit ? "Exit" : "Entry"} ${side}`;
  return {
    ok: true,
    label: signal === "" ? what : `${what}: ${signal}`,
    atMs,
    price: readPrice(cells[at.price]),
    isExit,
  };
}

function readAlertRow(
  cells: readonly string[],
  at: { readonly time: number; readonly name: number; readonly description: number },
  readTime: (text: string) => number | null,
): Reading {
  const atMs = readTime(cells[at.time] ?? "");
  if (atMs === null) return { ok: false, text: `"${clip(cells[at.time])}" is no time` };
  const label = alertNameIn(cells[at.description] ?? "") ?? clip(cells[at.name]);
  const own = label === "" ? clip(cells[at.description]) : label;
  if (own === "") return { ok: false, text: "it has no name" };
  // The log cuts an alert's time to the second, in which it may have come at any moment
  const lastMs = atMs % 1_000 === 0 ? atMs + 999 : atMs;
  return { ok: true, label: own, atMs: lastMs, price: null, isExit: false };
}

/** Returns the alert name in one of our webhook messages; null without one. */
function alertNameIn(description: string): string | null {
  if (!description.trimStart().startsWith("{")) return null;
  try {
    const message = JSON.parse(description) as { readonly alertName?: unknown } | null;
    return typeof message?.alertName === "string" ? clip(message.alertName) : null;
  } catch {
    return null;
  }
}

/** Parses a price with a decimal point or comma. */
export function readPrice(text: string | undefined): number | null {
  const trimmed = (text ?? "").replaceAll(/[\s\u00a0'’]/g, "");
  const plain =
    /,\d{3}(?:[.,]|$)/.test(trimmed) && trimmed.includes(".")
      ? trimmed.replaceAll(",", "")
      : trimmed.replace(",", ".");
  const price = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
  return price > 0 ? price : null;
}

const clip = (text: string | undefined) => (text ?? "").trim().slice(0, 100);

/** Returns the most likely alert for an event: one of the same name, or one whose rule acts alike. */
export function guessAlert(
  label: string,
  alerts: readonly { readonly alertKey: string }[],
  rules: readonly {
    readonly action: string;
    readonly conditions: readonly { readonly alertKey: string }[];
  }[],
): string | null {
  const [what = "", signal = what] = label.split(": ", 2);
  const named = alerts.find(({ alertKey }) =>
    [label, signal].some((each) => nameKey(each) === alertKey),
  );
  if (named !== undefined) return named.alertKey;
  const action = /^(Entry|Exit) (long|short)$/.exec(what);
  if (action === null) return null;
  const wanted = `${action[1] === "Entry" ? "OPEN" : "CLOSE"}_${action[2]?.toUpperCase()}`;
  return rules.find((rule) => rule.action === wanted)?.conditions[0]?.alertKey ?? null;
}

const OWN_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const WALL = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Creates a reader of the times of export files, which name their zone or are local times of the given one, for instance
 * Europe/Berlin. It returns Unix milliseconds; null for text that is not a time.
 */
export function createTimeReader(zone: string): (text: string) => number | null {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  /** Returns the zone's UTC offset at a time, in milliseconds. */
  const ahead = (timeMs: number): number => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(timeMs)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return (
      Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1_000) * 1_000
    );
  };
  return (text) => {
    const trimmed = text.trim();
    if (OWN_ZONE.test(trimmed)) {
      const atMs = Date.parse(trimmed.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
      return Number.isNaN(atMs) ? null : atMs;
    }
    const match = WALL.exec(trimmed);
    if (match === null) return null;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
      .slice(1)
      .map((each) => Number(each ?? 0));
    if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return null;
    const wall = Date.UTC(year, month - 1, day, hour, minute, second);
    if (new Date(wall).getUTCDate() !== day) return null;
    // Iterated twice, so that the offset is correct around a daylight-saving change
    return wall - ahead(wall - ahead(wall));
  };
}

/** CSV record: its cells and its first line, counted from 1. */
interface CsvRecord {
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
