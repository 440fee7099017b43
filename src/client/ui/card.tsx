import { clsx } from "clsx";
import type { ComponentProps } from "react";

export function Card({ className, ...rest }: ComponentProps<"section">) {
  return (
    <section
      {...rest}
      className={clsx("rounded-lg border border-line bg-surface p-4", className)}
    />
  );
}
