import { clsx } from "clsx";
import { formatShare } from "../lib/format.ts";

interface ShareProps {
  /** Fraction of one; null shows a dash. */
  readonly value: number | null | undefined;
  readonly className?: string;
}

/** Gain or loss in percent, coloured by its sign. */
export function Share({ value, className }: ShareProps) {
  const text = formatShare(value);
  return (
    <span
      className={clsx(
        "whitespace-nowrap tabular-nums",
        text === "–" && "text-faint",
        text.startsWith("+") && "text-up",
        text.startsWith("−") && "text-down",
        className,
      )}
    >
      {text}
    </span>
  );
}
