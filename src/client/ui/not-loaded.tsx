import { clsx } from "clsx";
import { Button } from "./button.tsx";

interface NotLoadedProps {
  /** What could not be loaded, as the sentence begins. */
  readonly what: string;
  readonly onRetry: () => unknown;
  readonly className?: string;
}

/** Line in place of a list that could not be loaded, with a button that reads it again. */
export const NotLoaded = ({ what, onRetry, className }: NotLoadedProps) => (
  <div className={clsx("flex items-center justify-between text-xs text-muted", className)}>
    {what} could not be loaded.
    <Button size="small" onClick={() => void onRetry()}>
      Try again
    </Button>
  </div>
);
