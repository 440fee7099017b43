import type { MarkedToken, Token, Tokens } from "marked";
import { type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { drawInline } from "./markdown-inline.tsx";

const HEADING_STYLES = ["text-lg", "text-base", "text-base"];

function drawTable({ header, rows, align }: Tokens.Table, key: number): ReactNode {
  const style = (column: number) => ({ textAlign: align[column] ?? ("left" as const) });
  return (
    <div key={key} tabIndex={0} role="group" aria-label="Table" className="overflow-x-auto">
      <table className="border-collapse text-xs">
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th
                key={column}
                style={style(column)}
                className="border-b border-line-strong px-2 py-1 font-semibold"
              >
                {drawInline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, column) => (
                <td key={column} style={style(column)} className="border-b px-2 py-1">
                  {drawInline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function drawList({ ordered, start, items }: Tokens.List, key: number): ReactNode {
  const lines = items.map((item, index) => (
    <li key={index} className="pl-1 [&>p]:inline">
      {drawBlocks(item.tokens)}
    </li>
  ));
  if (!ordered) {
    return (
      <ul key={key} className="flex list-disc flex-col gap-1 pl-5">
        {lines}
      </ul>
    );
  }
  return (
    <ol
      key={key}
      start={start === "" ? 1 : start}
      className="flex list-decimal flex-col gap-1 pl-6"
    >
      {lines}
    </ol>
  );
}

function drawBlock(token: MarkedToken, key: number): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return <p key={key}>{drawInline(token.tokens)}</p>;
    case "heading":
      return (
        <p
          key={key}
          role="heading"
          aria-level={Math.min(6, token.depth + 2)}
          className={`mt-1 font-semibold ${HEADING_STYLES[token.depth - 1] ?? "text-sm"}`}
        >
          {drawInline(token.tokens)}
        </p>
      );
    case "code":
      return <CodeBlock key={key} code={token.text} language={token.lang ?? ""} />;
    case "blockquote":
      return (
        <blockquote key={key} className="flex flex-col gap-2 border-l-2 pl-3 text-muted">
          {drawBlocks(token.tokens)}
        </blockquote>
      );
    case "list":
      return drawList(token, key);
    case "table":
      return drawTable(token, key);
    case "hr":
      return <hr key={key} />;
    case "html":
      return (
        <p key={key} className="whitespace-pre-wrap">
          {token.raw.trimEnd()}
        </p>
      );
    default:
      return drawInline([token]);
  }
}

/** Draws tokens as React elements. Nothing of the text becomes markup. */
export function drawBlocks(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, index) => drawBlock(token as MarkedToken, index));
}
