import { useEffect, useRef, useState } from "react";

interface Scrolled {
  readonly scrollTop: number;
  readonly height: number;
  readonly width: number;
}

/** Tracks a scroll container: its size, and its scroll offset rounded down to rows. */
export function useScroller(rowPx: number) {
  const boxRef = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState<Scrolled>({ scrollTop: 0, height: 0, width: 0 });
  useEffect(() => {
    const box = boxRef.current;
    if (!box) return;
    const read = () => {
      // Rounded to rows: smaller movements need no rerender
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
