import { type RefObject, useLayoutEffect } from "react";

/** Moves the focus from an unmounted row to its list, so that keys continue to scroll it. */
export function useReleasedFocus(rowRef: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const row = rowRef.current;
    const list = row?.parentElement?.closest<HTMLElement>("[tabindex]");
    return () => {
      if (row?.contains(document.activeElement)) list?.focus({ preventScroll: true });
    };
  }, [rowRef]);
}
