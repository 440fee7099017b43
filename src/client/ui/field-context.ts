import { createContext, useContext } from "react";

interface FieldLinks {
  readonly controlId: string | undefined;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  /** Shows why what stands in the control cannot be read; null when it can. */
  readonly onUnclear: (words: string | null) => void;
}

export const FieldContext = createContext<FieldLinks>({
  controlId: undefined,
  describedBy: undefined,
  invalid: false,
  onUnclear: () => undefined,
});

/** Attributes that tie a control to the label, hint and error of the field around it. */
export function useFieldLinks() {
  const links = useContext(FieldContext);
  return {
    id: links.controlId,
    "aria-describedby": links.describedBy,
    "aria-invalid": links.invalid || undefined,
  };
}
