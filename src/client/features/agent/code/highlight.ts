export type CodeLanguage = "json" | "pine" | "shell";

export type TokenKind = "plain" | "comment" | "key" | "text" | "number" | "word" | "call";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Token patterns per language; the first matching alternative wins. */
const GRAMMARS: Readonly<Record<CodeLanguage, RegExp>> = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d[\d.e+-]*)|(?<word>true|false|null)/g,
  pine: /(?<comment>\/\/.*)|(?<text>"(?:[^"\\]|\\.)*")|(?<number>\b\d[\d.]*(?:e-?\d+)?)|(?<word>\b(?:if|for|to|while|and|or|not|true|false|int|float|bool|string)\b(?!\())|(?<call>[A-Za-z_][\w.]*(?=\())/g,
  shell: /(?<comment>^#.*)|(?<text>'[^']*')|(?<word>^curl\b)|(?<key>\s-\w\b)/gm,
};

/** Splits a line into tokens for highlighting; the text is unchanged. */
export function highlightLine(line: string, language: CodeLanguage): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of line.matchAll(GRAMMARS[language])) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    if (match.index > end) tokens.push({ kind: "plain", text: line.slice(end, match.index) });
    tokens.push({ kind: (kind ?? "plain") as TokenKind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length) tokens.push({ kind: "plain", text: line.slice(end) });
  return tokens;
}
