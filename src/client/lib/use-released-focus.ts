import { type RefObject, useLayoutEffect } from "react";

/** A row scrolled away gives the focus to its list, so that the keys go on scrolling it. */
export function useReleasedFocus(rowRef: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const row = rowRef.current;
    const list = row?.parentElement?.closest<HTMLElement>("[tabindex]");
    return () => {
      if (row?.contains(document.activeElement)) list?.focus({ preventScroll: true });
    };
  }, [rowRef]);
}
