import { lexer, type Token } from "marked";

/** Group of finished blocks; its tokens never change. */
export interface MarkdownChunk {
  readonly key: number;
  readonly tokens: readonly Token[];
}

export interface MarkdownBlocks {
  /** Finished chunks; references are kept between states. */
  readonly chunks: readonly MarkdownChunk[];
  /** Tokens that may still change: the last block and what follows it. */
  readonly tail: readonly Token[];
  /** Remaining text that is nested too deeply to parse; shown verbatim. */
  readonly plain: string;
  /** Length of the text parsed into finished chunks, in characters. */
  readonly doneLength: number;
  readonly text: string;
}

/** Blocks per chunk: a balance between the number of chunks and the render time of one. */
const CHUNK_BLOCKS = 12;

export const NO_BLOCKS: MarkdownBlocks = {
  chunks: [],
  tail: [],
  plain: "",
  doneLength: 0,
  text: "",
};

/**
 * Reads an answer as it grows. Only what comes after the last finished chunk is read again, so the cost of a piece
 * does not grow with the answer.
 */
export function readBlocks(before: MarkdownBlocks, text: string): MarkdownBlocks {
  if (text === before.text) return before;
  const done = before.text.slice(0, before.doneLength);
  const start = text.startsWith(done) ? before : NO_BLOCKS;
  const chunks = [...start.chunks];
  let { doneLength } = start;
  const rest = text.slice(doneLength);
  if (!isReadable(rest)) return { chunks, tail: [], plain: rest, doneLength, text };
  let tail: readonly Token[] = lexer(rest);
  for (;;) {
    // The last non-space block may continue; all blocks before it are finished
    const last = tail.findLastIndex(({ type }) => type !== "space");
    if (last < CHUNK_BLOCKS) break;
    const tokens = tail.slice(0, CHUNK_BLOCKS);
    chunks.push({ key: chunks.length, tokens });
    doneLength += tokens.reduce((length, { raw }) => length + raw.length, 0);
    tail = tail.slice(CHUNK_BLOCKS);
  }
  return { chunks, tail, plain: "", doneLength, text };
}

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
function isReadable(text: string): boolean {
  let marks = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "" || STARTS_ANEW.test(line)) marks = 0;
    marks += marksOf(line);
    if (marks > MAX_MARKS || depthOf(line) > MAX_DEPTH) return false;
  }
  return true;
}
