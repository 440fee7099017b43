import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ShownMessage } from "./shown-messages.ts";

/** Range of rendered rows, end exclusive, and the height of the rows before and after it, in pixels. */
export interface MessageWindow {
  readonly start: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** Visible part of a list. */
export interface Viewport {
  /** Scroll offset in pixels; null when scrolled to the end. */
  readonly top: number | null;
  /** Visible height in pixels; 0 while unknown. */
  readonly height: number;
}

/** Overscan beyond each edge in pixels, so that fast scrolling shows no gap. */
const OVERSCAN_PX = 500;
/** Assumed visible height while it is unknown, in pixels. */
const FIRST_PX = 900;

/** Characters per line and line height in pixels, for estimating the height of unrendered rows. */
const LINE_LENGTH = 56;
const LINE_PX = 20;
const REST_PX = 60;

export const sum = (heights: readonly number[]) =>
  heights.reduce((total, height) => total + height, 0);

/** Returns an estimated height of a message, in pixels. */
export function guessHeight(content: string): number {
  const lines = content.split("\n").map(({ length }) => Math.ceil(length / LINE_LENGTH));
  return REST_PX + sum(lines) * LINE_PX;
}

/** Returns the rows to render for the given row heights. */
export function messageWindow(
  heights: readonly number[],
  { top, height }: Viewport,
): MessageWindow {
  const room = (height === 0 ? FIRST_PX : height) + OVERSCAN_PX;
  let start = 0;
  let end = heights.length;
  if (top === null) {
    start = end;
    for (let filled = 0; start > 0 && filled < room; filled += heights[start] ?? 0) start -= 1;
  } else {
    let at = 0;
    while (start < heights.length - 1 && at + (heights[start] ?? 0) <= top - OVERSCAN_PX) {
      at += heights[start] ?? 0;
      start += 1;
    }
    end = start;
    for (; end < heights.length && at < top + room; end += 1) at += heights[end] ?? 0;
  }
  return { start, end, before: sum(heights.slice(0, start)), after: sum(heights.slice(end)) };
}

/** Row heights of a list by id, for the list's lifetime. */
export type RowHeights = ReturnType<typeof createRowHeights>;

/** Creates a height cache that measures rows while they are rendered. */
export function createRowHeights() {
  const measured = new Map<string, number>();
  const guessed = new Map<string, number>();
  const ids = new WeakMap<Element, string>();
  let tell = () => {};
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const id = ids.get(target);
      const { height } = target.getBoundingClientRect();
      // A hidden row has height 0, which is not a measurement
      if (id !== undefined && height > 0) measured.set(id, height);
    }
    tell();
  });
  return {
    /** Returns the last rendered height, otherwise an estimate from the text. */
    of({ id, content }: { readonly id: string; readonly content: string }): number {
      const known = measured.get(id) ?? guessed.get(id);
      if (known !== undefined) return known;
      const guess = guessHeight(content);
      guessed.set(id, guess);
      return guess;
    },
    /** Observes a row's height; returns a function that stops it. */
    observe(id: string, row: HTMLElement) {
      ids.set(row, id);
      watch.observe(row);
      return () => watch.unobserve(row);
    },
    /** Sets the one listener for changed row heights. */
    listen(onChange: () => void) {
      tell = onChange;
    },
  };
}

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
