import { useEffect, useRef, useState } from "react";

interface Scrolled {
  readonly scrollTop: number;
  readonly height: number;
  readonly width: number;
}

/** Follows a scrolling box: how far it is scrolled, to the row, and how large it is. */
export function useScroller(rowPx: number) {
  const boxRef = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState<Scrolled>({ scrollTop: 0, height: 0, width: 0 });
  useEffect(() => {
    const box = boxRef.current;
    if (!box) return;
    const read = () => {
      // Within a row nothing changes that would have to be drawn
      const scrollTop = Math.floor(box.scrollTop / rowPx) * rowPx;
      const { clientHeight: height, clientWidth: width } = box;
      setScrolled((last) =>
        last.scrollTop === scrollTop && last.height === height && last.width === width
          ? last
          : { scrollTop, height, width },
      );
    };
    const observer = new ResizeObserver(read);
    observer.observe(box);
    box.addEventListener("scroll", read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", read);
    };
  }, [rowPx]);
  return { boxRef, scrolled };
}
