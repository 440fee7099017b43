import { createStore } from "zustand/vanilla";
import { newId } from "./new-id.ts";
import { describeProblem } from "./problem.ts";

/** Duration of a toast that closes by itself, in milliseconds. */
export const TOAST_MS = 5000;

export interface ToastText {
  readonly title: string;
  readonly message?: string;
}

export interface Toast extends ToastText {
  readonly id: string;
  readonly tone: "done" | "note" | "problem";
  /** True when the toast stays until the user closes it. */
  readonly stays: boolean;
  /** Buttons below the text; a click closes the toast. */
  readonly actions?: readonly ToastAction[];
}

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** The current toast is the last one; an event before it waits until that has closed. */
export const toasts = createStore<readonly Toast[]>(() => []);

/** Replaces the current toast; a replaced toast never returns, because it would be taken for a new one. */
function show(toast: Toast): void {
  toasts.setState([...toasts.getState().slice(0, -1), toast], true);
}

export function closeToast(id: string): void {
  toasts.setState(
    toasts.getState().filter((toast) => toast.id !== id),
    true,
  );
}

/** Shows a success toast. */
export function toastDone(text: ToastText): void {
  show({ ...text, id: newId(), tone: "done", stays: false });
}

export function toastNote(text: ToastText): void {
  show({ ...text, id: newId(), tone: "note", stays: false });
}

/**
 * Shows what happened, with what can be done about it; `stays` keeps it until it is closed. An error stays instead, and
 * what the user has just done is told to its end before.
 */
export function toastEvent(
  text: ToastText,
  how: Pick<Toast, "stays"> & { readonly actions: readonly ToastAction[] },
): void {
  const current = toasts.getState().at(-1);
  if (current?.tone === "problem") return;
  const event = { ...text, ...how, id: newId(), tone: "note" } as const;
  if (current?.tone === "done") toasts.setState([event, current], true);
  else show(event);
}

/** Shows a progress toast until the returned function is called. */
export function toastWorking(text: ToastText): () => void {
  const id = newId();
  show({ ...text, id, tone: "note", stays: true });
  return () => closeToast(id);
}

const idOf = ({ title, message }: ToastText) => `${title}/${message ?? ""}`;

/** Shows an error toast that stays until closed. An identical one is not repeated. */
export function toastProblem(text: ToastText, how: Pick<Toast, "actions"> = {}): void {
  show({ ...text, ...how, id: idOf(text), tone: "problem", stays: true });
}

/** Shows a thrown error as a toast with the catalogue's text. */
export function toastError(error: unknown): void {
  toastProblem(describeProblem(error));
}

/** Shows an error toast that closes by itself, for errors also shown beside their field. */
export function toastFault(text: ToastText, how: Pick<Toast, "actions"> = {}): void {
  show({ ...text, ...how, id: idOf(text), tone: "problem", stays: false });
}
