import type { MarkedToken, Token } from "marked";
import type { ReactNode } from "react";
import { SafeLink } from "./safe-link.tsx";

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

export function drawInline(tokens: readonly Token[] | undefined): ReactNode {
  return (tokens ?? []).map((token, index) => drawToken(token as MarkedToken, index));
}
