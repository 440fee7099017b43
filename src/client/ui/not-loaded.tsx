import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { useTimes } from "../lib/time-zone.ts";

interface NotLoadedProps {
  readonly onRetry: () => unknown;
  readonly children: ReactNode;
  readonly className?: string;
}

/** Line in place of something that could not be loaded, with a button that reads it again. */
export const NotLoaded = ({ onRetry, children, className = "text-warn" }: NotLoadedProps) => (
  <p role="status" className={clsx("flex flex-wrap items-center gap-2 text-xs", className)}>
    {children}
    <Button size="small" onClick={() => void onRetry()}>
      Try again
    </Button>
  </p>
);

interface NothingLoadedProps {
  readonly title: string;
  readonly onRetry: () => unknown;
  /** Why, or what is not lost. */
  readonly children?: ReactNode;
}

/** State of a view of which nothing could be loaded. */
export const NothingLoaded = ({ title, onRetry, children }: NothingLoadedProps) => (
  <div role="alert" className="contents">
    <EmptyState title={title} action={<Button onClick={() => void onRetry()}>Try again</Button>}>
      {children}
    </EmptyState>
  </div>
);

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
