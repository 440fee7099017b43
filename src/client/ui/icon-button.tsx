import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { Tooltip } from "./tooltip-provider.tsx";

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  /** Accessible name, also shown as tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly size?: "small" | "medium";
  readonly pressed?: boolean;
}

export function IconButton({ label, icon, size, pressed, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-pressed={pressed}
        className={clsx(
          "tint inline-flex shrink-0 items-center justify-center rounded-md text-muted enabled:hover:bg-hover enabled:hover:text-ink disabled:cursor-not-allowed disabled:opacity-45 [&_svg]:size-4",
          size === "small" ? "size-6" : "size-8",
          pressed && "bg-hover text-ink",
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
