import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { FIRST_HEADING, FIRST_LINE } from "./first-words.ts";
import { useFirstSteps } from "./use-first-steps.tsx";
import type { WorkspaceData } from "./use-workspace.ts";

interface GetStartedProps {
  readonly workspace: WorkspaceData;
  /** Content below the steps; rendered once it is known whether the steps are shown, so that it does not shift. */
  readonly children: ReactNode;
}

/** Onboarding steps from wallet to first alert; hidden once the first alert has arrived and been seen. */
export function GetStarted({ workspace, children }: GetStartedProps) {
  const steps = useFirstSteps(workspace);
  const [wasWaiting, setWaiting] = useState(false);
  if (steps === null) return null;
  const undone = steps.findIndex(({ isDone }) => !isDone);
  const lastIndex = steps.length - 1;
  if (undone === lastIndex && !wasWaiting) setWaiting(true);
  if (undone === -1 && !wasWaiting) return children;
  const currentIndex = undone === -1 ? lastIndex : undone;

  return (
    <>
      <div className="p-4 max-sm:p-3">
        <Card aria-labelledby="get-started" className="mx-auto max-w-[640px]">
          <h2 id="get-started" className="text-lg font-semibold">
            {FIRST_HEADING}
          </h2>
          <p className="mt-0.5 text-sm text-muted">{FIRST_LINE}</p>
          <ol className="mt-4 flex flex-col">
            {steps.map((step, index) => {
              const isCurrent = index === currentIndex;
              return (
                <li
                  key={step.title}
                  aria-current={isCurrent ? "step" : undefined}
                  className={clsx(
                    "-mx-2 flex items-start gap-3 rounded-md px-2 py-2.5",
                    isCurrent && "bg-raised",
                  )}
                >
                  <span
                    className={clsx(
                      "mt-px inline-flex size-5 shrink-0 items-center justify-center rounded-full text-2xs font-semibold",
                      step.isDone
                        ? "bg-up-soft text-up"
                        : isCurrent
                          ? "bg-accent text-accent-ink"
                          : "border text-faint",
                    )}
                  >
                    {step.isDone ? <Check aria-label="Done" className="size-3" /> : index + 1}
                  </span>
                  <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
                    <div className="min-w-0 grow basis-56">
                      <p className={clsx("text-sm", isCurrent ? "font-semibold" : "text-muted")}>
                        {step.title}
                      </p>
                      {isCurrent && <p className="mt-0.5 text-xs text-muted">{step.text}</p>}
                    </div>
                    {isCurrent && step.action}
                    {isCurrent && step.content && (
                      <div className="min-w-0 basis-full">{step.content}</div>
                    )}
                  </div>
                </li>
              );
            })}
          </ol>
          {undone === -1 && (
            <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
              <p className="text-sm font-medium text-up">All set: your agent hears your charts.</p>
              <Button tone="primary" onClick={() => setWaiting(false)}>
                Done
              </Button>
            </div>
          )}
        </Card>
      </div>
      {children}
    </>
  );
}
