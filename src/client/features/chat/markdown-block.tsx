import type { MarkedToken, Token, Tokens } from "marked";
import { memo, type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { drawInline } from "./markdown-inline.tsx";

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
          aria-level={Math.min(6, token.depth + 2)}
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
export function drawBlocks(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, index) => <Block key={index} token={token as MarkedToken} />);
}
