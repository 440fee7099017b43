import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end that counts as being at the end, in pixels. */
const NEAR_PX = 48;

/** Tolerance in pixels within which a list that became shorter is at its end. */
const AT_END_PX = 2;

const KEYS_UP: readonly string[] = ["ArrowUp", "PageUp"];

const roomOf = (list: HTMLElement) => list.scrollHeight - list.clientHeight;
const untilEnd = (list: HTMLElement) => roomOf(list) - list.scrollTop;

/** Returns whether a wheel or key over an element scrolls the list up: nothing inside it takes the movement. */
function movesUp(list: HTMLElement, target: EventTarget | null): boolean {
  let at = target as Element | null;
  while (at !== null && at !== list && at.scrollTop === 0) at = at.parentElement;
  return at === list && list.scrollTop > 0;
}

/** Keeps a list scrolled to its end as it grows, until the reader scrolls up. */
export function useStickToEnd(listRef: RefObject<HTMLElement | null>) {
  const isStuck = useRef(true);
  const last = useRef({ top: 0, room: 0 });
  const [isAway, setAway] = useState(false);

  const remember = (list: HTMLElement) =>
    void (last.current = { top: list.scrollTop, room: roomOf(list) });

  /** Detects manual scrolling early: its scroll event is late, and a smooth scroll starts with a few pixels. */
  function hear(list: HTMLElement): void {
    // A hidden list has no position; this is not a manual scroll
    if (list.clientHeight === 0) return;
    const { top, room } = last.current;
    const isShortened = roomOf(list) < room && untilEnd(list) < AT_END_PX;
    if (list.scrollTop < top && !isShortened) isStuck.current = false;
    else if (untilEnd(list) < Math.min(NEAR_PX, room - top)) isStuck.current = true;
    remember(list);
  }

  /** Called when content grew, before its frame, so that scrolling needs no second frame. */
  function follow(): void {
    const list = listRef.current;
    if (!list || list.clientHeight === 0) return;
    if (list.scrollTop < last.current.top) hear(list);
    if (!isStuck.current) return;
    // Any write ends a smooth scroll, also one to the place where the list is
    if (untilEnd(list) >= 1) list.scrollTop = list.scrollHeight;
    remember(list);
  }

  useLayoutEffect(follow);

  useEffect(() => {
    const list = listRef.current;
    const content = list?.firstElementChild;
    if (!list || !content) return;
    const look = () => setAway(untilEnd(list) >= NEAR_PX && !isStuck.current);
    const onScroll = () => {
      hear(list);
      look();
    };
    // Content that grows in the same frame hides from the scroll event where the reader moved
    const letGo = ({ target }: Event) => {
      if (!movesUp(list, target)) return;
      isStuck.current = false;
      remember(list);
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && !event.ctrlKey) letGo(event);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (KEYS_UP.includes(event.key)) letGo(event);
    };
    // Late content, such as the first Markdown render, grows without a render of the list
    const watch = new ResizeObserver(() => {
      follow();
      look();
    });
    list.addEventListener("scroll", onScroll, { passive: true });
    list.addEventListener("wheel", onWheel, { passive: true });
    list.addEventListener("keydown", onKeyDown);
    watch.observe(content);
    watch.observe(list);
    return () => {
      list.removeEventListener("scroll", onScroll);
      list.removeEventListener("wheel", onWheel);
      list.removeEventListener("keydown", onKeyDown);
      watch.disconnect();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what they read is in references
  }, [listRef]);

  return {
    isAway,
    /** True while the list follows its end. */
    isStuck,
    follow,
    goToEnd() {
      isStuck.current = true;
      last.current = { top: 0, room: 0 };
      setAway(false);
      follow();
    },
  };
}
