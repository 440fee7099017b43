import { toast } from "sonner";
import { describeProblem } from "./problem.ts";

interface ToastText {
  readonly title: string;
  readonly message?: string;
}

/** Says that something went well; gone after 5 s. */
export function toastDone({ title, message }: ToastText): void {
  toast.success(title, { description: message });
}

export function toastNote({ title, message }: ToastText): void {
  toast(title, { description: message });
}

/** Names a problem; stays until closed. The same problem is shown once. */
export function toastProblem({ title, message }: ToastText): void {
  toast.error(title, {
    description: message,
    duration: Number.POSITIVE_INFINITY,
    id: `${title}/${message ?? ""}`,
  });
}

/** Shows whatever was thrown by a call, in the catalogue's words. */
export function toastError(error: unknown): void {
  toastProblem(describeProblem(error));
}

/** Names a problem that is also shown beside its field; gone after 5 s. */
export function toastFault({ title, message }: ToastText): void {
  toast.error(title, { description: message, id: `${title}/${message ?? ""}` });
}
