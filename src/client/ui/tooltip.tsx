import { cloneElement, type ReactElement } from "react";

interface TooltipProps {
  readonly label: string;
  readonly side?: "bottom" | "left";
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Marks its child for the tooltip layer of tooltip-provider.tsx, which shows the text after 700 ms. */
export function Tooltip({ label, side = "bottom", children }: TooltipProps) {
  return cloneElement(children, { "data-tooltip": label, "data-tooltip-side": side });
}
