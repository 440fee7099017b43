import { Switch as Base } from "@base-ui/react/switch";
import { clsx } from "clsx";
import type { ReactNode } from "react";

interface SwitchProps {
  readonly checked: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hideLabel?: boolean;
  readonly disabled?: boolean;
  readonly tone?: "accent" | "up";
}

export function Switch({
  checked,
  onCheckedChange,
  label,
  hideLabel,
  disabled,
  tone,
}: SwitchProps) {
  return (
    <label
      className={clsx(
        "inline-flex min-h-6 items-center gap-2 text-xs font-medium text-muted",
        disabled ? "cursor-not-allowed opacity-60" : "cursor-pointer",
      )}
    >
      <Base.Root
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled ?? false}
        className={clsx(
          "tint inline-flex h-[18px] w-8 shrink-0 items-center rounded-full border border-line-strong bg-hover p-px",
          tone === "up"
            ? "data-checked:border-up data-checked:bg-up"
            : "data-checked:border-accent data-checked:bg-accent",
        )}
      >
        <Base.Thumb className="size-3.5 translate-x-0 rounded-full bg-line-strong transition-transform duration-(--motion-fast) data-checked:translate-x-[14px] data-checked:bg-surface" />
      </Base.Root>
      <span className={clsx(hideLabel && "sr-only")}>{label}</span>
    </label>
  );
}
