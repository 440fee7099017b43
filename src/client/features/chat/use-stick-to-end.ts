import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end that still counts as being there, in pixels. */
const NEAR_PX = 48;

/** Within this distance a list that became shorter stands, rather than one that somebody began to scroll, in pixels. */
const AT_END_PX = 2;

const untilEnd = (list: HTMLElement) => list.scrollHeight - list.scrollTop - list.clientHeight;

/** Keeps a list scrolled to its end as it grows, until the reader scrolls up. */
export function useStickToEnd(listRef: RefObject<HTMLElement | null>) {
  const isStuck = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);

  /** Hears of the reader's scrolling before anything follows the end: its event comes later, and a smooth one begins with a few pixels. */
  function hear(list: HTMLElement): void {
    // A hidden list is nowhere, and that is not the reader's doing
    if (list.clientHeight === 0) return;
    if (list.scrollTop < lastTop.current) isStuck.current = untilEnd(list) < AT_END_PX;
    else if (untilEnd(list) < NEAR_PX) isStuck.current = true;
    lastTop.current = list.scrollTop;
  }

  /** To be called when something grew, before its frame: then the scrolling needs no second one. */
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
    // Late content, such as the Markdown renderer's first draw, grows without a render of the list
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
    /** Whether the list follows its end. */
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
