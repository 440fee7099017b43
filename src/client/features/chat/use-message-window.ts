import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { messageWindow, type MessageWindow, type Viewport } from "./message-window.ts";
import { createRowHeights, type RowHeights } from "./row-heights.ts";
import type { ShownMessage } from "./shown-messages.ts";

/** Granularity of scroll updates, in pixels; smaller movements do not rerender. */
const STEP_PX = 200;

/** True when the browser supports scroll anchoring. */
const isAnchoring = globalThis.CSS?.supports?.("overflow-anchor", "auto") ?? true;

interface Anchor {
  readonly row: HTMLElement;
  /** Distance from the list's upper edge, in pixels. */
  readonly top: number;
}

/** Returns the first row that is visible. */
function findAnchor(list: HTMLElement): Anchor | null {
  for (const row of list.querySelectorAll<HTMLElement>("[data-row]")) {
    const top = row.offsetTop - list.scrollTop;
    if (top + row.offsetHeight > 0) return { row, top };
  }
  return null;
}

interface Drawn extends MessageWindow {
  readonly heights: RowHeights;
}

/** Returns the messages to render: the visible ones and some around them, at a cost independent of the total. */
export function useMessageWindow(
  listRef: RefObject<HTMLElement | null>,
  messages: readonly ShownMessage[],
  isStuck: RefObject<boolean>,
): Drawn {
  const [viewport, setViewport] = useState<Viewport>({ top: null, height: 0 });
  const [, setMeasured] = useState(0);
  const anchor = useRef<Anchor | null>(null);
  const [heights] = useState(createRowHeights);
  const drawn = messageWindow(messages.map(heights.of), viewport);

  useLayoutEffect(() => {
    const keepPlace = () => {
      const list = listRef.current;
      if (isAnchoring || !list || isStuck.current || !anchor.current?.row.isConnected) return;
      const moved = anchor.current.row.offsetTop - list.scrollTop - anchor.current.top;
      if (moved !== 0) list.scrollTop += moved;
    };
    heights.listen(() => {
      keepPlace();
      const now = messageWindow(messages.map(heights.of), viewport);
      if (now.start !== drawn.start || now.end !== drawn.end) setMeasured((count) => count + 1);
    });
    keepPlace();
  });

  useEffect(() => {
    const list = listRef.current;
    if (!list) return;
    const read = () => {
      const { clientHeight: height } = list;
      const top = isStuck.current ? null : Math.floor(list.scrollTop / STEP_PX) * STEP_PX;
      if (!isAnchoring) anchor.current = findAnchor(list);
      setViewport((last) => (last.top === top && last.height === height ? last : { top, height }));
    };
    const watch = new ResizeObserver(read);
    watch.observe(list);
    list.addEventListener("scroll", read, { passive: true });
    return () => {
      watch.disconnect();
      list.removeEventListener("scroll", read);
    };
  }, [listRef, isStuck]);

  return { ...drawn, heights };
}
