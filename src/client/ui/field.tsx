import { clsx } from "clsx";
import { type ReactNode, useId, useState } from "react";
import { FieldContext } from "./field-context.ts";

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  /** Content at the end of the label's line, for instance a balance. */
  readonly aside?: ReactNode;
  readonly hideLabel?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Form field of label, control, hint and error; the control gets their ids from context. */
export function Field(props: FieldProps) {
  const { label, hint, aside, hideLabel, className, children } = props;
  const id = useId();
  const [unclear, setUnclear] = useState<string | null>(null);
  const error = unclear ?? props.error;
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className={clsx("flex items-baseline justify-between gap-2", hideLabel && "sr-only")}>
        <label htmlFor={`${id}-control`} className="text-xs font-medium text-muted">
          {label}
        </label>
        {aside && <span className="text-xs text-faint">{aside}</span>}
      </div>
      <FieldContext
        value={{
          controlId: `${id}-control`,
          describedBy,
          invalid: Boolean(error),
          onUnclear: setUnclear,
        }}
      >
        {children}
      </FieldContext>
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-xs text-down">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="text-xs text-faint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}
