import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { CONTROL_STYLE } from "./control-style.ts";
import { useFieldLinks } from "./field-context.ts";

interface NumberTextProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  /** Decimal text exactly as typed; never a float. */
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  /** Digits allowed after the point. 0 allows whole numbers only. */
  readonly maxDecimals?: number;
  readonly unit?: string;
  readonly onMax?: (() => void) | undefined;
}

/** A text box that accepts nothing but an unsigned decimal number; a comma becomes a point. */
export function NumberText(props: NumberTextProps) {
  const { value, onValueChange, maxDecimals = 6, unit, onMax, className, ...rest } = props;
  const links = useFieldLinks();
  const allowed = maxDecimals === 0 ? /^\d*$/ : new RegExp(`^\\d*(?:\\.\\d{0,${maxDecimals}})?$`);
  return (
    <div className={clsx("relative flex items-center", className)}>
      <input
        type="text"
        inputMode={maxDecimals === 0 ? "numeric" : "decimal"}
        autoComplete="off"
        placeholder="0"
        {...links}
        {...rest}
        value={value}
        onChange={(event) => {
          const next = event.target.value.trim().replace(",", ".");
          if (next.length <= 40 && allowed.test(next)) onValueChange(next);
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
