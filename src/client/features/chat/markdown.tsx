import { type Token, type MarkedToken, type Tokens, lexer } from "marked";
import { Fragment, memo, useState, type ReactNode } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";
import { SafeLink } from "./safe-link.tsx";

interface ChunkProps {
  readonly tokens: readonly Token[];
  /** Finished content skips rendering while off screen; growing content is always measured. */
  readonly isFinished: boolean;
}

const Chunk = memo(function Chunk({ tokens, isFinished }: ChunkProps) {
  // A link definition also affects links before it
  const definitions = tokens.flatMap(({ type, raw }) => (type === "def" ? [raw] : [])).join("");
  return (
    <div
      className={`flex flex-col gap-2 [contain-intrinsic-height:auto_400px] ${
        isFinished ? "[content-visibility:auto]" : ""
      }`}
    >
      <Fragment key={definitions}>{drawBlocks(tokens)}</Fragment>
    </div>
  );
});

/** Renders a model's markdown: no HTML, no images, https links only; rerenders only the growing part. */
export default function Markdown({ text }: { readonly text: string }) {
  const [read, setRead] = useState(() => readBlocks(NO_BLOCKS, text));
  const now = readBlocks(read, text);
  if (now !== read) setRead(now);
  return (
    <div className="flex flex-col gap-2 break-words">
      {now.chunks.map(({ key, tokens }) => (
        <Chunk key={key} tokens={tokens} isFinished />
      ))}
      <Chunk key={now.chunks.length} tokens={now.tail} isFinished={false} />
      {now.plain !== "" && <p className="whitespace-pre-wrap">{now.plain}</p>}
    </div>
  );
}

const HEADING_STYLES = ["text-lg", "text-base", "text-base"];

type Align = Tokens.Table["align"];
const alignOf = (align: Align, column: number) => ({
  textAlign: align[column] ?? ("left" as const),
});
/** Longest cell text in characters that is not wrapped, so that figures and dates stay whole; the table scrolls. */
const LONGEST_UNBROKEN = 16;
const textOf = (row: readonly Tokens.TableCell[]) => row.map(({ text }) => text).join("|");

interface RowProps {
  readonly row: readonly Tokens.TableCell[];
  readonly align: Align;
}

const Row = memo(
  function Row({ row, align }: RowProps) {
    return (
      <tr>
        {row.map((cell, column) => (
          <td
            key={column}
            style={alignOf(align, column)}
            className={`border-b px-2 py-1 ${
              cell.text.length > LONGEST_UNBROKEN ? "" : "whitespace-nowrap"
            }`}
          >
            {drawInline(cell.tokens)}
          </td>
        ))}
      </tr>
    );
  },
  (before, now) =>
    textOf(before.row) === textOf(now.row) && before.align.join() === now.align.join(),
);

function drawTable({ header, rows, align }: Tokens.Table): ReactNode {
  return (
    <div tabIndex={0} role="group" aria-label="Table" className="overflow-x-auto">
      <table className="border-collapse text-xs">
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th
                key={column}
                style={alignOf(align, column)}
                className="border-b border-line-strong px-2 py-1 font-semibold"
              >
                {drawInline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <Row key={line} row={row} align={align} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Item = memo(
  function Item({ item }: { readonly item: Tokens.ListItem }) {
    return <li className="pl-1 [&>p]:inline">{drawBlocks(item.tokens)}</li>;
  },
  (before, now) => before.item.raw === now.item.raw && before.item.loose === now.item.loose,
);

function drawList({ ordered, start, items }: Tokens.List): ReactNode {
  const lines = items.map((item, index) => <Item key={index} item={item} />);
  if (!ordered) return <ul className="flex list-disc flex-col gap-1 pl-5">{lines}</ul>;
  return (
    <ol start={start === "" ? 1 : start} className="flex list-decimal flex-col gap-1 pl-6">
      {lines}
    </ol>
  );
}

function drawBlock(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return <p>{drawInline(token.tokens)}</p>;
    case "heading":
      return (
        <p
          role="heading"
          // One level for all: an answer begins with any depth and skips some, and the page's order of headings holds
          aria-level={2}
          className={`mt-1 font-semibold ${HEADING_STYLES[token.depth - 1] ?? "text-sm"}`}
        >
          {drawInline(token.tokens)}
        </p>
      );
    case "code":
      return <CodeBlock code={token.text} language={token.lang ?? ""} />;
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 pl-3 text-muted">
          {drawBlocks(token.tokens)}
        </blockquote>
      );
    case "list":
      return drawList(token);
    case "table":
      return drawTable(token);
    case "hr":
      return <hr />;
    case "html":
      return <p className="whitespace-pre-wrap">{token.raw.trimEnd()}</p>;
    default:
      return drawInline([token]);
  }
}

/** Markdown block, memoised by its text: a stream parses the last blocks many times a second. */
const Block = memo(
  function Block({ token }: { readonly token: MarkedToken }) {
    return drawBlock(token);
  },
  (before, now) => before.token.raw === now.token.raw && before.token.type === now.token.type,
);

/** Renders tokens as React elements; text never becomes HTML. */
function drawBlocks(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, index) => <Block key={index} token={token as MarkedToken} />);
}

function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
  return (
    <figure className="overflow-hidden rounded-md border bg-bg">
      <figcaption className="flex h-7 items-center justify-between border-b pr-0.5 pl-2.5 text-2xs text-muted">
        {language.split(/\s/)[0] || "text"}
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      <pre tabIndex={0} aria-label="Code" className="overflow-x-auto p-2.5 font-mono text-xs">
        <code>{code}</code>
      </pre>
    </figure>
  );
}

/** Decoded HTML entities; others stay as written. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, dec, hex, name) => {
      if (name !== undefined) return ENTITIES[name as string] ?? whole;
      const code = parseInt((dec ?? hex) as string, dec === undefined ? 16 : 10);
      return code > 31 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}

function drawToken(token: MarkedToken, key: number): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong key={key}>{drawInline(token.tokens)}</strong>;
    case "em":
      return <em key={key}>{drawInline(token.tokens)}</em>;
    case "del":
      return <del key={key}>{drawInline(token.tokens)}</del>;
    case "codespan":
      return (
        <code key={key} className="rounded-sm bg-hover px-1 py-px font-mono text-[0.92em]">
          {token.text}
        </code>
      );
    case "br":
      return <br key={key} />;
    case "link":
      return (
        <SafeLink key={key} href={token.href}>
          {drawInline(token.tokens)}
        </SafeLink>
      );
    case "image":
      // Loading the image would reveal the reader to its server
      return <span key={key}>[image: {token.text || "no description"}]</span>;
    case "checkbox":
      return <span key={key}>{token.checked ? "☑ " : "☐ "}</span>;
    case "text":
      return token.tokens ? drawInline(token.tokens) : decodeEntities(token.text);
    case "escape":
      return token.text;
    default:
      // HTML is shown as text
      return token.raw;
  }
}

function drawInline(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, index) => drawToken(token as MarkedToken, index));
}

/** Group of finished blocks; its tokens never change. */
interface MarkdownChunk {
  readonly key: number;
  readonly tokens: readonly Token[];
}

interface MarkdownBlocks {
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
