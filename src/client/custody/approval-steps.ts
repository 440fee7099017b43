import type { Custody } from "../queries/custody.ts";
import type { Step } from "../ui/stepper.tsx";
import type { ApprovalPhase } from "./approval-phase.ts";

/** Returns the set-up's steps for the stepper: state on chain, combined with the current phase. */
export function approvalSteps(steps: Custody["steps"], phase: ApprovalPhase): readonly Step[] {
  const hasStopped = phase.kind === "stopped" || phase.kind === "blocked";
  const next = steps.findIndex((step) => step.state === "todo");
  const hasOpen = steps.some((step) => step.state === "open");
  const isCurrent = (index: number): boolean =>
    steps[index]?.state === "open" || (!hasOpen && index === next);
  return steps.map(({ label, state }, index) => ({
    label: `${index + 1}/${steps.length} ${label}`,
    state:
      phase.kind === "done" || state === "done"
        ? "done"
        : !isCurrent(index)
          ? "todo"
          : hasStopped
            ? "failed"
            : phase.kind === "review"
              ? "next"
              : "active",
  }));
}

/** Returns the sentence under the title: the current transaction and what the user has to do. */
export function stepSentence(phase: ApprovalPhase, walletName: string): string | undefined {
  const counted = ({ step, stepCount }: { readonly step: number; readonly stepCount: number }) =>
    `Transaction ${step} of ${stepCount}.`;
  switch (phase.kind) {
    case "review":
      return `${counted(phase.prepared)} Approve in ${walletName}.`;
    case "renewing":
    case "wallet":
      return counted(phase.prepared);
    case "following":
      return counted(phase.transaction);
    default:
      return undefined;
  }
}
