import { createContext, useContext } from "react";

interface FieldLinks {
  readonly controlId: string | undefined;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  /** Sets the parse fault of the control's text; null when it is valid. */
  readonly onUnclear: (words: string | null) => void;
}

export const FieldContext = createContext<FieldLinks>({
  controlId: undefined,
  describedBy: undefined,
  invalid: false,
  onUnclear: () => undefined,
});

/** Returns the ARIA attributes that link a control to its field's label, hint and error. */
export function useFieldLinks() {
  const links = useContext(FieldContext);
  return {
    id: links.controlId,
    "aria-describedby": links.describedBy,
    "aria-invalid": links.invalid || undefined,
  };
}

/** Shared style of text controls; the border has a 3:1 contrast. */
export const CONTROL_STYLE =
  "tint w-full min-w-0 rounded-md border border-line-strong bg-surface text-sm text-ink enabled:hover:border-muted read-only:bg-raised disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-down";
