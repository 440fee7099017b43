import { X } from "lucide-react";
import type { ReactNode } from "react";

interface ChipProps {
  readonly children: ReactNode;
  /** Accessible name of the remove button; absent shows none. */
  readonly removeLabel?: string;
  readonly onRemove?: () => void;
}

export function Chip({ children, removeLabel, onRemove }: ChipProps) {
  return (
    <span className="inline-flex h-6 items-center gap-0.5 rounded-full border border-line bg-raised pl-2.5 text-xs has-[button]:pr-0 not-has-[button]:pr-2.5">
      {children}
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="tint inline-flex size-6 items-center justify-center rounded-full text-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-3" />
        </button>
      )}
    </span>
  );
}
