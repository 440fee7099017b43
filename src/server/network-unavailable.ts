import { AppError } from "../contract/errors.ts";

/** Returns what a caller is told when a chain gave no answer. */
export const networkUnavailable = (cause: Error): AppError =>
  new AppError("unavailable", {
    message: "The network's nodes do not answer at the moment. Try again in a moment.",
    cause,
  });
