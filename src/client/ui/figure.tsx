import { clsx } from "clsx";
import { displayMoney } from "../lib/format.ts";

interface FigureProps {
  /** Decimal text from the wire; null or undefined shows a dash. */
  readonly value: string | null | undefined;
  readonly decimals?: number;
  readonly prefix?: string;
  readonly unit?: string;
  /** Always shows + or −. */
  readonly signed?: boolean;
  /** Colours the value by its sign, which stays visible. */
  readonly toned?: boolean;
  /** True when the value is outdated because refreshing failed. */
  readonly stale?: boolean;
  readonly className?: string;
}

/** Amount with fixed decimals, never rounded up, with thousands separators, a Unicode minus and its unit. */
export function Figure(props: FigureProps) {
  const { value, decimals = 2, prefix = "", unit = "", signed, toned, stale, className } = props;
  if (value === null || value === undefined) {
    return <span className={clsx("text-faint", className)}>–</span>;
  }
  const text = displayMoney(value, decimals);
  // A value that is cut to zero gets no sign
  const isZero = !/[1-9]/.test(text);
  const isNegative = text.startsWith("−");
  const sign = isZero ? "" : isNegative ? "−" : signed || toned ? "+" : "";
  // An amount of almost nothing is not nothing
  const isDust = isZero && !signed && !toned && /[1-9]/.test(value);
  const least = `0.${"1".padStart(decimals, "0")}`;
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
      {isDust && "<"}
      {prefix}
      {isDust ? least : text.replace("−", "")}
      {unit}
    </span>
  );
}
