import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Distance from the end that still counts as being there, in pixels. */
const NEAR_PX = 48;

/** Keeps a list scrolled to its end as it grows, until the reader scrolls up. */
export function useStickToEnd(listRef: RefObject<HTMLElement | null>) {
  const isStuck = useRef(true);
  const [isAway, setAway] = useState(false);

  function toEnd(): void {
    const list = listRef.current;
    if (list) list.scrollTop = list.scrollHeight;
  }

  useLayoutEffect(() => {
    if (isStuck.current) toEnd();
  });

  useEffect(() => {
    const list = listRef.current;
    const content = list?.firstElementChild;
    if (!list || !content) return;
    function onScroll(this: HTMLElement): void {
      const isNear = this.scrollHeight - this.scrollTop - this.clientHeight < NEAR_PX;
      isStuck.current = isNear;
      setAway(!isNear);
    }
    // Late content, such as the Markdown renderer's first draw, grows without a render of the list
    const watch = new ResizeObserver(() => {
      if (isStuck.current) toEnd();
    });
    list.addEventListener("scroll", onScroll, { passive: true });
    watch.observe(content);
    return () => {
      list.removeEventListener("scroll", onScroll);
      watch.disconnect();
    };
  });

  return {
    isAway,
    goToEnd() {
      isStuck.current = true;
      setAway(false);
      toEnd();
    },
  };
}
