import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end that counts as being at the end, in pixels. */
const NEAR_PX = 48;

/** Tolerance in pixels that separates a list that became shorter from the start of a manual scroll. */
const AT_END_PX = 2;

const untilEnd = (list: HTMLElement) => list.scrollHeight - list.scrollTop - list.clientHeight;

/** Keeps a list scrolled to its end as it grows, until the reader scrolls up. */
export function useStickToEnd(listRef: RefObject<HTMLElement | null>) {
  const isStuck = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);

  /** Detects manual scrolling early: its scroll event is late, and a smooth scroll starts with a few pixels. */
  function hear(list: HTMLElement): void {
    // A hidden list has no position; this is not a manual scroll
    if (list.clientHeight === 0) return;
    if (list.scrollTop < lastTop.current) isStuck.current = untilEnd(list) < AT_END_PX;
    else if (untilEnd(list) < NEAR_PX) isStuck.current = true;
    lastTop.current = list.scrollTop;
  }

  /** Called when content grew, before its frame, so that scrolling needs no second frame. */
  function follow(): void {
    const list = listRef.current;
    if (!list || list.clientHeight === 0) return;
    if (list.scrollTop < lastTop.current) hear(list);
    if (!isStuck.current) return;
    list.scrollTop = list.scrollHeight;
    lastTop.current = list.scrollTop;
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
    // Late content, such as the first Markdown render, grows without a render of the list
    const watch = new ResizeObserver(() => {
      follow();
      look();
    });
    list.addEventListener("scroll", onScroll, { passive: true });
    watch.observe(content);
    watch.observe(list);
    return () => {
      list.removeEventListener("scroll", onScroll);
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
      lastTop.current = 0;
      setAway(false);
      follow();
    },
  };
}
