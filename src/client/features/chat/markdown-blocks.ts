import { lexer, type Token } from "marked";
import { isReadable } from "./readable.ts";

/** A run of finished blocks: its tokens never change again. */
export interface MarkdownChunk {
  readonly key: number;
  readonly tokens: readonly Token[];
}

export interface MarkdownBlocks {
  /** Finished chunks, the same objects as in the state before. */
  readonly chunks: readonly MarkdownChunk[];
  /** The part that may still change: the last block and whatever follows. */
  readonly tail: readonly Token[];
  /** What follows the chunks where it is too deeply nested to be read: shown as it stands. */
  readonly plain: string;
  /** Text the finished chunks were read from. */
  readonly doneLength: number;
  readonly text: string;
}

/** Blocks in one chunk: enough that a long answer is a short list, few enough that a chunk is drawn quickly. */
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
    // The last block that is not space may still go on; everything before it is finished
    const last = tail.findLastIndex(({ type }) => type !== "space");
    if (last < CHUNK_BLOCKS) break;
    const tokens = tail.slice(0, CHUNK_BLOCKS);
    chunks.push({ key: chunks.length, tokens });
    doneLength += tokens.reduce((length, { raw }) => length + raw.length, 0);
    tail = tail.slice(CHUNK_BLOCKS);
  }
  return { chunks, tail, plain: "", doneLength, text };
}
