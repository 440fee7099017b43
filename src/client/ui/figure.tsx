import { clsx } from "clsx";
import { useState } from "react";
import { displayDecimal, displayPrice } from "../lib/format.ts";

interface FigureProps {
  /** Decimal text from the wire; null or undefined shows a dash. */
  readonly value: string | null | undefined;
  readonly decimals?: number;
  /** Rounds it with the decimals of a price instead. */
  readonly price?: boolean;
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

/** Amount with fixed decimals or a price, rounded, with thousands separators, a Unicode minus and its unit; a change flashes. */
export function Figure(props: FigureProps) {
  const {
    value,
    decimals = 2,
    price,
    prefix = "",
    unit = "",
    signed,
    toned,
    stale,
    className,
  } = props;
  const text =
    value === null || value === undefined
      ? null
      : price
        ? displayPrice(value)
        : displayDecimal(value, decimals);
  const [seen, setSeen] = useState({ text, changes: 0 });
  if (seen.text !== text) {
    // What appears first, or again after it was unknown, has not changed
    setSeen({ text, changes: seen.text === null || text === null ? 0 : seen.changes + 1 });
  }
  if (!value || text === null) return <span className={clsx("text-faint", className)}>–</span>;
  // A value that is rounded to zero gets no sign
  const isZero = !/[1-9]/.test(text);
  // An amount of almost nothing is not nothing
  const isDust = isZero && !signed && !toned && /[1-9]/.test(value);
  const isNegative = text.startsWith("−") || (isDust && value.startsWith("-"));
  const sign = isNegative ? "−" : isZero ? "" : signed || toned ? "+" : "";
  const least = `0.${"1".padStart(decimals, "0")}`;
  return (
    <span
      // A new element, so that the animation starts anew
      key={seen.changes}
      className={clsx(
        "whitespace-nowrap",
        seen.changes > 0 && "rounded-sm motion-safe:animate-[flash_1s_var(--ease)]",
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
