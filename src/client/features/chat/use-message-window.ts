import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { messageWindow, type MessageWindow, sum, type Viewport } from "./message-window.ts";
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
  /** Scrolls to the oldest message, and stays with the oldest while older ones are loaded. */
  goToStart(): void;
}

/** Returns the messages to render: the visible ones and some around them, at a cost independent of the total. */
export function useMessageWindow(
  listRef: RefObject<HTMLElement | null>,
  messages: readonly ShownMessage[],
  isStuck: RefObject<boolean>,
  isFiltered: boolean,
): Drawn {
  const [viewport, setViewport] = useState<Viewport>({ top: null, height: 0 });
  const [, setMeasured] = useState(0);
  const anchor = useRef<Anchor | null>(null);
  const [heights] = useState(createRowHeights);
  const [isAtStart, setAtStart] = useState(false);
  const [front, setFront] = useState({ first: messages[0]?.id, isFiltered, added: 0 });

  // Older messages came in front: what is on screen stays, so the viewport moves down with it
  if (front.first !== messages[0]?.id || front.isFiltered !== isFiltered) {
    const count = messages.findIndex(({ id }) => id === front.first);
    const isOlder = front.isFiltered === isFiltered && count > 0;
    const added = isOlder && viewport.top !== null && !isAtStart ? count : 0;
    setFront({ first: messages[0]?.id, isFiltered, added });
    if (added > 0) {
      const top = sum(messages.slice(0, added).map(heights.of));
      setViewport({ ...viewport, top: (viewport.top ?? 0) + top });
    }
  }

  useLayoutEffect(() => {
    const list = listRef.current;
    // Browsers anchor what is on screen by themselves, except at the very top
    if (list === null || front.added === 0 || list.scrollTop > 0) return;
    const row = list.querySelector<HTMLElement>(`[aria-posinset="${front.added + 1}"]`);
    const start = row?.parentElement?.firstElementChild as HTMLElement | null | undefined;
    if (row && start) list.scrollTop = row.offsetTop - start.offsetTop;
  }, [listRef, front]);

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
      if (list.scrollTop > 0) setAtStart(false);
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

  return {
    ...drawn,
    heights,
    goToStart() {
      setAtStart(true);
      listRef.current?.scrollTo({ top: 0, behavior: "instant" });
    },
  };
}
