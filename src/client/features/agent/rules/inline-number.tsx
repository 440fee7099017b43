import { clsx } from "clsx";
import { useContext, useId, useState } from "react";
import { FieldContext } from "../../../ui/field-context.ts";
import { NumberText } from "../../../ui/number-text.tsx";

interface InlineNumberProps {
  /** Accessible name with position, for instance "period of RSI, comparison 1". */
  readonly label: string;
  /** Text before the input. */
  readonly prefix?: string;
  /** Text after the input. */
  readonly suffix?: string;
  /** Value; NaN while the input cannot be parsed. */
  readonly value: number;
  readonly onChange: (value: number) => void;
  /** Fault of the value as text. */
  readonly fault: string | null;
  readonly maxDecimals?: number;
  readonly isSigned?: boolean;
  readonly className?: string;
}

/** Returns plain decimal digits without an exponent. */
const textOf = (value: number): string =>
  Number.isFinite(value)
    ? value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 8 })
    : "";

/** Number input inside a sentence; its fault is shown on a line below. */
export function InlineNumber(props: InlineNumberProps) {
  const { label, prefix, suffix, value, onChange, fault, maxDecimals = 0, isSigned } = props;
  const id = useId();
  const outer = useContext(FieldContext);
  const [unclear, setUnclear] = useState<string | null>(null);
  const [typed, setTyped] = useState({ text: textOf(value), value });
  const text = Object.is(typed.value, value) ? typed.text : textOf(value);
  const words = unclear ?? fault;
  return (
    <>
      <span className="inline-flex items-center gap-1">
        {prefix && (
          <span aria-hidden className="text-xs text-faint">
            {prefix}
          </span>
        )}
        <FieldContext
          value={{
            ...outer,
            controlId: undefined,
            describedBy: words === null ? undefined : id,
            invalid: words !== null,
            onUnclear: setUnclear,
          }}
        >
          <NumberText
            aria-label={label}
            value={text}
            maxDecimals={maxDecimals}
            isSigned={isSigned ?? false}
            className={clsx("w-16", props.className)}
            onValueChange={(next) => {
              const read = next.trim() === "" ? Number.NaN : Number(next);
              setTyped({ text: next, value: read });
              onChange(read);
            }}
          />
        </FieldContext>
        {suffix && (
          <span aria-hidden className="text-xs text-faint">
            {suffix}
          </span>
        )}
      </span>
      {words !== null && (
        <span id={id} role="alert" className="order-last basis-full text-xs text-down">
          {words}
        </span>
      )}
    </>
  );
}
