import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

interface SwitchProps {
  readonly checked: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hideLabel?: boolean;
  readonly disabled?: boolean;
  readonly tone?: "accent" | "up";
}

export function Switch(props: SwitchProps) {
  const { checked, onCheckedChange, label, hideLabel, disabled, tone } = props;
  const id = useId();
  return (
    <span
      className={clsx(
        "inline-flex min-h-6 items-center gap-2 text-xs font-medium text-muted",
        disabled && "opacity-60",
      )}
    >
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        disabled={disabled}
        onClick={() => onCheckedChange(!checked)}
        className={clsx(
          "tint inline-flex h-[18px] w-8 shrink-0 items-center rounded-full border p-px disabled:cursor-not-allowed",
          !checked && "border-line-strong bg-hover",
          checked && (tone === "up" ? "border-up bg-up" : "border-accent bg-accent"),
        )}
      >
        <span
          className={clsx(
            "size-3.5 rounded-full transition-transform duration-(--motion-fast)",
            checked ? "translate-x-[14px] bg-surface" : "bg-line-strong",
          )}
        />
      </button>
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={clsx(
          "whitespace-nowrap",
          hideLabel && "sr-only",
          disabled ? "cursor-not-allowed" : "cursor-pointer",
        )}
      >
        {label}
      </label>
    </span>
  );
}
