import { clsx } from "clsx";
import { type ComponentProps, useContext, useEffect, useState } from "react";
import { readSignedNumber, readTypedNumber } from "../lib/typed-number.ts";
import { CONTROL_STYLE, FieldContext, useFieldLinks } from "./field-context.ts";

interface NumberTextProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  /** Plain decimal text, never a float; the raw input while it cannot be parsed. */
  readonly value: string;
  /** Receives plain decimal text; receives the raw input, which no parser accepts, while it is invalid. */
  readonly onValueChange: (value: string) => void;
  /** Digits allowed after the point. 0 allows whole numbers only. */
  readonly maxDecimals?: number;
  readonly unit?: string;
  /** Accepts a leading minus. */
  readonly isSigned?: boolean;
  readonly onMax?: (() => void) | undefined;
}

/** Text input for a localised decimal number; the surrounding field shows the parse fault. */
export function NumberText(props: NumberTextProps) {
  const {
    value,
    onValueChange,
    maxDecimals = 6,
    isSigned = false,
    unit,
    onMax,
    className,
    ...rest
  } = props;
  const links = useFieldLinks();
  const { onUnclear } = useContext(FieldContext);
  const [typed, setTyped] = useState({ raw: value, value });
  const raw = typed.value === value ? typed.raw : value;
  const read = isSigned ? readSignedNumber(raw, maxDecimals) : readTypedNumber(raw, maxDecimals);
  const words = read.kind === "unclear" ? read.words : null;
  useEffect(() => {
    onUnclear(words);
    return () => onUnclear(null);
  }, [onUnclear, words]);
  return (
    <div className={clsx("relative flex items-center", className)}>
      <input
        type="text"
        inputMode={maxDecimals === 0 ? "numeric" : "decimal"}
        autoComplete="off"
        placeholder="0"
        {...links}
        {...rest}
        value={raw}
        onChange={(event) => {
          const next = event.target.value;
          const meant = isSigned
            ? readSignedNumber(next, maxDecimals)
            : readTypedNumber(next, maxDecimals);
          const given = meant.kind === "number" ? meant.text : next;
          setTyped({ raw: next, value: given });
          onValueChange(given);
        }}
        onBlur={(event) => {
          setTyped({ raw: value, value });
          rest.onBlur?.(event);
        }}
        className={clsx(CONTROL_STYLE, "h-8 pl-2.5", unit || onMax ? "pr-24" : "pr-2.5")}
      />
      <span className="absolute right-1 flex items-center gap-1">
        {unit && <span className="px-1 text-xs text-faint">{unit}</span>}
        {onMax && (
          <button
            type="button"
            onClick={onMax}
            disabled={rest.disabled}
            className="tint h-6 rounded-sm px-2 text-xs font-medium text-accent-text enabled:hover:bg-accent-soft"
          >
            Max
          </button>
        )}
      </span>
    </div>
  );
}
