import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { ComponentProps } from "react";

const styles = cva(
  "inline-flex h-5 shrink-0 items-center gap-1 rounded-sm border px-1.5 text-2xs font-medium whitespace-nowrap [&_svg]:size-3",
  {
    variants: {
      tone: {
        neutral: "border-line bg-raised text-muted",
        accent: "border-transparent bg-accent-soft text-accent-text",
        up: "border-transparent bg-up-soft text-up",
        down: "border-transparent bg-down-soft text-down",
        warn: "border-transparent bg-warn-soft text-warn",
        practice: "border-practice-line bg-practice-soft text-practice",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof styles>) {
  return <span {...rest} className={clsx(styles({ tone }), className)} />;
}
