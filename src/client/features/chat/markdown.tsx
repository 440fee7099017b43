import type { Token } from "marked";
import { memo, useState } from "react";
import { drawBlocks } from "./markdown-block.tsx";
import { NO_BLOCKS, readBlocks } from "./markdown-blocks.ts";

const Chunk = memo(function Chunk({ tokens }: { readonly tokens: readonly Token[] }) {
  return (
    <div className="flex flex-col gap-2 [contain-intrinsic-height:auto_400px] [content-visibility:auto]">
      {drawBlocks(tokens)}
    </div>
  );
});

/** Markdown of a model: no markup, no images, https links only; drawn again only where it grew. */
export default function Markdown({ text }: { readonly text: string }) {
  const [read, setRead] = useState(() => readBlocks(NO_BLOCKS, text));
  const now = readBlocks(read, text);
  if (now !== read) setRead(now);
  return (
    <div className="flex flex-col gap-2 break-words">
      {now.chunks.map(({ key, tokens }) => (
        <Chunk key={key} tokens={tokens} />
      ))}
      {drawBlocks(now.tail)}
    </div>
  );
}
