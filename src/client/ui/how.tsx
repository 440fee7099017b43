import { Info } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Popover } from "./popover.tsx";

interface HowProps {
  /** Name of the figure. */
  readonly of: string;
  readonly children: ReactNode;
}

/** Button that explains how a figure is computed. */
export function How({ of, children }: HowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      label={`How ${of} is computed`}
      className="max-w-72 p-3 text-sm text-muted"
      trigger={
        <button
          type="button"
          aria-label={`How is ${of} computed?`}
          className="tint inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-faint hover:text-ink [&_svg]:size-3.5"
        >
          <Info aria-hidden />
        </button>
      }
    >
      {children}
    </Popover>
  );
}
