import type { Token } from "marked";
import { Fragment, memo, useState } from "react";
import { drawBlocks } from "./markdown-block.tsx";
import { NO_BLOCKS, readBlocks } from "./markdown-blocks.ts";

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
