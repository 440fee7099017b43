import { CopyButton } from "../../ui/copy-button.tsx";

interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
}

export function CodeBlock({ code, language }: CodeBlockProps) {
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
