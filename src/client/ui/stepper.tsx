import { clsx } from "clsx";
import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { Spinner } from "./spinner.tsx";

export interface Step {
  readonly label: ReactNode;
  /** `next` waits for the user, `active` is in progress. */
  readonly state: "todo" | "next" | "active" | "done" | "failed";
  /** Progress or the user's next action. */
  readonly detail?: ReactNode;
}

const STATE_TEXT = {
  todo: "to do",
  next: "waiting for you",
  active: "in progress",
  done: "done",
  failed: "failed",
};

export function Stepper({
  steps,
  label,
}: {
  readonly steps: readonly Step[];
  readonly label: string;
}) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map((step, index) => (
        <li
          key={index}
          aria-current={step.state === "active" || step.state === "next" ? "step" : undefined}
          className="group relative flex gap-3 pb-4 last:pb-0"
        >
          <span
            aria-hidden
            className="absolute top-6 bottom-0 left-[11.5px] w-px bg-line group-last:hidden"
          />
          <span
            className={clsx(
              "relative inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-2xs font-semibold [&_svg]:size-3.5",
              step.state === "todo" && "border-line bg-raised text-faint",
              step.state === "next" && "border-transparent bg-accent text-accent-ink",
              step.state === "active" && "border-transparent bg-accent-soft text-accent-text",
              step.state === "done" && "border-transparent bg-up-soft text-up",
              step.state === "failed" && "border-transparent bg-down-soft text-down",
            )}
          >
            {step.state === "done" ? (
              <Check aria-hidden />
            ) : step.state === "failed" ? (
              <X aria-hidden />
            ) : step.state === "active" ? (
              <Spinner />
            ) : (
              index + 1
            )}
          </span>
          <div className="min-w-0 pt-0.5">
            <p className={clsx("text-sm", step.state === "todo" ? "text-muted" : "font-medium")}>
              {step.label}
              <span className="sr-only"> ({STATE_TEXT[step.state]})</span>
            </p>
            {step.detail && <div className="mt-0.5 text-xs text-muted">{step.detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
