import { createStore } from "zustand/vanilla";
import { newId } from "./new-id.ts";
import { describeProblem } from "./problem.ts";

/** How long a toast is shown that does not wait to be closed. */
export const TOAST_MS = 5000;

export interface ToastText {
  readonly title: string;
  readonly message?: string;
}

export interface Toast extends ToastText {
  readonly id: string;
  readonly tone: "done" | "note" | "problem";
  /** Waits to be closed. */
  readonly stays: boolean;
}

/** The toast on screen, if any: one at a time. */
export const toasts = createStore<readonly Toast[]>(() => []);

/** A newer toast replaces the one before it for good: what comes back later is taken for something new. */
function show(toast: Toast): void {
  toasts.setState([toast], true);
}

export function closeToast(id: string): void {
  toasts.setState(
    toasts.getState().filter((toast) => toast.id !== id),
    true,
  );
}

/** Says that something went well. */
export function toastDone(text: ToastText): void {
  show({ ...text, id: newId(), tone: "done", stays: false });
}

export function toastNote(text: ToastText): void {
  show({ ...text, id: newId(), tone: "note", stays: false });
}

/** Says what is going on until the returned function is called. */
export function toastWorking(text: ToastText): () => void {
  const id = newId();
  show({ ...text, id, tone: "note", stays: true });
  return () => closeToast(id);
}

const idOf = ({ title, message }: ToastText) => `${title}/${message ?? ""}`;

/** Names a problem; stays until closed. The same problem is shown once. */
export function toastProblem(text: ToastText): void {
  show({ ...text, id: idOf(text), tone: "problem", stays: true });
}

/** Shows whatever was thrown by a call, in the catalogue's words. */
export function toastError(error: unknown): void {
  toastProblem(describeProblem(error));
}

/** Names a problem that is also shown beside its field; goes by itself. */
export function toastFault(text: ToastText): void {
  show({ ...text, id: idOf(text), tone: "problem", stays: false });
}
