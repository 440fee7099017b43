import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useReleasedFocus } from "../../lib/use-released-focus.ts";
import type { RowHeights } from "./row-heights.ts";

interface MessageRowProps {
  readonly id: string;
  readonly label: string;
  /** Index in the whole list, from 0. */
  readonly index: number;
  readonly count: number;
  readonly heights: RowHeights;
  readonly children: ReactNode;
}

/** Row of the message list; announces its position among all messages, rendered or not. */
export function MessageRow({ id, label, index, count, heights, children }: MessageRowProps) {
  const rowRef = useRef<HTMLElement>(null);
  useReleasedFocus(rowRef);
  useLayoutEffect(() => {
    const row = rowRef.current;
    return row ? heights.observe(id, row) : undefined;
  }, [heights, id]);
  return (
    <article
      ref={rowRef}
      data-row
      aria-label={label}
      aria-posinset={index + 1}
      aria-setsize={count}
      className="pb-3"
    >
      {children}
    </article>
  );
}
