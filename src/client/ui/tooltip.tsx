import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

interface TooltipProps {
  readonly label: ReactNode;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly children: ReactElement;
}

/** Waits 700 ms, as the workspace's provider says; neighbours then open at once. */
export function Tooltip({ label, side = "bottom", children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="fade max-w-64 rounded-s border border-line bg-surface px-2 py-1 text-xs text-ink shadow-pop">
            {label}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
