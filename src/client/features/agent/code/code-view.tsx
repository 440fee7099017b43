import { Download } from "lucide-react";
import { memo, type ReactNode } from "react";
import { downloadFile } from "../../../lib/download.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";

const COLOURS: Readonly<Record<TokenKind, string | undefined>> = {
  plain: undefined,
  comment: "text-faint italic",
  key: "text-accent-text",
  text: "text-up",
  number: "text-warn",
  word: "font-semibold text-accent-text",
  call: "font-semibold text-ink",
};

interface CodeViewProps {
  /** Accessible name, for instance "Text of the agent file". */
  readonly label: string;
  readonly text: string;
  readonly language: CodeLanguage;
  readonly fileName: string;
  /** Note for the reader before use. */
  readonly note: ReactNode;
}

/** Code block with line numbers, copy and download. */
export function CodeView({ label, text, language, fileName, note }: CodeViewProps) {
  return (
    <div className="flex min-h-0 grow flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0 grow basis-64 text-xs text-muted">{note}</div>
        <div className="flex gap-2">
          <CopyButton text={text} label="Copy" withText />
          <Button
            size="small"
            onClick={() => downloadFile(new Blob([text], { type: "text/plain" }), fileName)}
          >
            <Download aria-hidden />
            Download
          </Button>
        </div>
      </div>
      <pre
        role="group"
        aria-label={label}
        // Focusable, so that keys scroll it
        tabIndex={0}
        className="min-h-40 grow overflow-auto rounded-lg border border-line bg-surface py-3 font-mono text-xs leading-5"
      >
        <code className="block w-max min-w-full">
          <CodeLines text={text} language={language} />
        </code>
      </pre>
    </div>
  );
}

const CodeLines = memo(function CodeLines({
  text,
  language,
}: Pick<CodeViewProps, "text" | "language">) {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line, number) => (
    <span key={number} className="flex pr-4">
      <span
        aria-hidden
        className="sticky left-0 w-10 shrink-0 bg-surface pr-3 text-right text-faint select-none"
      >
        {number + 1}
      </span>
      <span className="whitespace-pre">
        {highlightLine(line, language).map(({ kind, text: part }, index) => (
          <span key={index} className={COLOURS[kind]}>
            {part}
          </span>
        ))}
        {"\n"}
      </span>
    </span>
  ));
});

type CodeLanguage = "json" | "pine" | "shell";

type TokenKind = "plain" | "comment" | "key" | "text" | "number" | "word" | "call";

interface Token {
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
