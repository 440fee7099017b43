import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { Spinner } from "./spinner.tsx";

/** Classes of a button, for a link that looks like one. */
export const buttonStyles = cva(
  "tint inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        primary: "border-transparent bg-accent text-accent-ink enabled:hover:bg-accent-hover",
        secondary: "border-line bg-raised text-ink enabled:hover:bg-hover",
        ghost: "border-transparent text-muted enabled:hover:bg-hover enabled:hover:text-ink",
        /** Style of buttons that open a confirmation; the confirming button is `danger`. */
        caution: "border-line bg-raised text-down enabled:hover:bg-down-soft",
        danger: "border-transparent bg-down-solid text-accent-ink enabled:hover:brightness-110",
      },
      size: {
        small: "h-7 px-2.5 text-xs",
        medium: "h-8 px-3 text-sm",
        large: "h-10 px-4 text-base",
      },
      wide: { true: "w-full" },
    },
    defaultVariants: { tone: "secondary", size: "medium" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonStyles> {
  /** Shows a spinner and ignores clicks; the button keeps its focus. */
  readonly busy?: boolean;
}

export function Button({ tone, size, wide, busy, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      className={clsx(buttonStyles({ tone, size, wide }), busy && "cursor-progress", className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
