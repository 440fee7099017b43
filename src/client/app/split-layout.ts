import { debounce } from "../lib/debounce.ts";
import { storedLayout } from "../lib/storage.ts";

/** Sizes in percent. */
export const MAIN_DEFAULT = 65;
export const MAIN_MIN = 30;
export const CHAT_MIN = 20;
export const KEYBOARD_STEP = 10;

/** Pause before a changed layout is kept in this browser. */
export const LAYOUT_SAVE_MS = 100;

/** Width of the trading side, and of the chat, after a step; both stay above their minimum. */
export function stepLayout(main: number, step: number): { main: number; chat: number } {
  const next = Math.min(100 - CHAT_MIN, Math.max(MAIN_MIN, main + step));
  return { main: next, chat: 100 - next };
}

/** Keeps the layout once dragging pauses. */
export const saveLayout = debounce(
  (layout: Record<string, number>) => storedLayout.write(layout),
  LAYOUT_SAVE_MS,
);

type Move = (step: number) => void;
let mover: Move | null = null;

/** Lets the split view that is on screen take the palette's moves; returns how to stop. */
export function takeMoves(move: Move): () => void {
  mover = move;
  return () => {
    if (mover === move) mover = null;
  };
}

/** Widens the trading side by so many percent, the way dragging the bar does. */
export function moveSplit(step: number): void {
  mover?.(step);
}
