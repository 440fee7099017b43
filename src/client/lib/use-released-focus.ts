import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from "react";
import { useDialogs } from "./dialogs.ts";

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

/** Time between two looks whether the focus can be taken, in milliseconds, and how many there are after a step. */
const LOOK_MS = 50;
const LOOKS = 100;

/** Gives the focus to the button that a step has next when the former one's is gone; nothing before `isOn`. */
export function useTakenFocus(
  isOn: boolean,
  step: unknown,
  next: () => HTMLElement | null | undefined,
): void {
  const findNext = useEffectEvent(next);
  const isDialogOpen = useDialogs().open.kind !== "none";
  useEffect(() => {
    if (!isOn || isDialogOpen) return;
    // A window that closes holds the focus for some frames and gives it back to a button that may be gone, or goes with
    // it; the buttons of a step may still be loading
    const timer = setInterval(take, LOOK_MS);
    let left = LOOKS;
    take();
    return () => clearInterval(timer);

    function take(): void {
      const { activeElement } = document;
      if (activeElement?.closest("[role=dialog], [role=alertdialog]")) return;
      const button = activeElement === document.body ? findNext() : null;
      button?.focus({ preventScroll: true });
      left -= 1;
      if (button || left === 0) clearInterval(timer);
    }
  }, [isOn, step, isDialogOpen]);
}
