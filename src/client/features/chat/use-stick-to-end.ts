import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end that still counts as being there, in pixels. */
const NEAR_PX = 48;

/** Keeps a list scrolled to its end as it grows, until the reader scrolls up. */
export function useStickToEnd(listRef: RefObject<HTMLElement | null>) {
  const isStuck = useRef(true);
  const [isAway, setAway] = useState(false);

  /** To be called when something grew, before its frame: then the scrolling needs no second one. */
  function follow(): void {
    const list = listRef.current;
    if (list && isStuck.current) list.scrollTop = list.scrollHeight;
  }

  useLayoutEffect(follow);

  useEffect(() => {
    const list = listRef.current;
    const content = list?.firstElementChild;
    if (!list || !content) return;
    let lastTop = list.scrollTop;
    const onScroll = () => {
      const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
      // What grew since the last scroll is not the reader's doing
      if (isNear || list.scrollTop < lastTop) isStuck.current = isNear;
      lastTop = list.scrollTop;
      setAway(!isNear && !isStuck.current);
    };
    // Late content, such as the Markdown renderer's first draw, grows without a render of the list
    const watch = new ResizeObserver(() => {
      if (isStuck.current) list.scrollTop = list.scrollHeight;
    });
    list.addEventListener("scroll", onScroll, { passive: true });
    watch.observe(content);
    watch.observe(list);
    return () => {
      list.removeEventListener("scroll", onScroll);
      watch.disconnect();
    };
  }, [listRef]);

  return {
    isAway,
    /** Whether the list follows its end. */
    isStuck,
    follow,
    goToEnd() {
      isStuck.current = true;
      setAway(false);
      follow();
    },
  };
}
