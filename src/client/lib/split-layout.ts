import { createStore } from "zustand/vanilla";
import { debounce } from "./clock.ts";
import { storedText, storedLayout } from "./stored.ts";

/** Sizes in percent. */
export const MAIN_DEFAULT = 65;
export const MAIN_MIN = 30;
export const CHAT_MIN = 20;
export const KEYBOARD_STEP = 10;

/** Delay before a changed layout is stored, in milliseconds. */
export const LAYOUT_SAVE_MS = 100;

/** Returns the widths in percent after a step; both panes keep their minimum. */
export function stepLayout(main: number, step: number): { main: number; chat: number } {
  const next = Math.min(100 - CHAT_MIN, Math.max(MAIN_MIN, main + step));
  return { main: next, chat: 100 - next };
}

/** Stores the layout after a pause in dragging. */
export const saveLayout = debounce(
  (layout: Record<string, number>) => storedLayout.write(layout),
  LAYOUT_SAVE_MS,
);

const storedHidden = storedText("chat-hidden");

/** Whether the chat gives its width to the trading pane. */
export const chatHidden = createStore(() => storedHidden.read() === "yes");

export function toggleChat(): void {
  const isHidden = !chatHidden.getState();
  chatHidden.setState(isHidden, true);
  if (isHidden) storedHidden.write("yes");
  else storedHidden.remove();
}

type Move = (step: number) => void;
let mover: Move | null = null;

/** Registers the visible split view as the target of `moveSplit`; returns a function that unregisters it. */
export function takeMoves(move: Move): () => void {
  mover = move;
  return () => {
    if (mover === move) mover = null;
  };
}

/** Changes the trading pane's width by `step` percent, as dragging the bar does. */
export function moveSplit(step: number): void {
  mover?.(step);
}
