import { clsx } from "clsx";
import { useTimes } from "../lib/time-zone.ts";

interface StaleNoteProps {
  /** Time of the last successful read, in Unix milliseconds. */
  readonly readAt: number;
  readonly className?: string;
}

/** Marks figures that could not be refreshed with the time they were read. */
export function StaleNote({ readAt, className = "rounded-md px-3" }: StaleNoteProps) {
  return (
    <p role="status" className={clsx("bg-warn-soft py-1.5 text-xs text-warn", className)}>
      Unavailable since {useTimes().time(readAt)}. Showing what was last read.
    </p>
  );
}
