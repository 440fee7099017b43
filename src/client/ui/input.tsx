import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { CONTROL_STYLE, useFieldLinks } from "./field-context.ts";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  const links = useFieldLinks();
  return (
    <input
      type="text"
      autoComplete="off"
      {...links}
      {...rest}
      className={clsx(CONTROL_STYLE, "h-8 px-2.5", className)}
    />
  );
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  const links = useFieldLinks();
  return (
    <textarea
      rows={4}
      {...links}
      {...rest}
      className={clsx(CONTROL_STYLE, "resize-y px-2.5 py-1.5", className)}
    />
  );
}
