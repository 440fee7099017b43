import { clsx } from "clsx";
import { displayDecimal } from "../lib/format.ts";

interface FigureProps {
  /** Decimal text as the wire gives it; null or undefined shows a dash. */
  readonly value: string | null | undefined;
  readonly decimals?: number;
  readonly prefix?: string;
  readonly unit?: string;
  /** Always shows + or −. */
  readonly signed?: boolean;
  /** Colours by sign; the sign itself stays visible. */
  readonly toned?: boolean;
  /** The value could not be refreshed and is old. */
  readonly stale?: boolean;
  readonly className?: string;
}

/** A figure with fixed decimals, thousands separators, a true minus and its unit. */
export function Figure(props: FigureProps) {
  const { value, decimals = 2, prefix = "", unit = "", signed, toned, stale, className } = props;
  if (value === null || value === undefined) {
    return <span className={clsx("text-faint", className)}>–</span>;
  }
  const isNegative = value.startsWith("-");
  const text = displayDecimal(isNegative ? value.slice(1) : value, decimals);
  // What rounds to nothing has no direction
  const isZero = !/[1-9]/.test(text);
  const sign = isZero ? "" : isNegative ? "−" : signed || toned ? "+" : "";
  return (
    <span
      className={clsx(
        "whitespace-nowrap",
        toned && !isZero && (isNegative ? "text-down" : "text-up"),
        stale && "opacity-50",
        className,
      )}
    >
      {sign}
      {prefix}
      {text}
      {unit}
    </span>
  );
}
