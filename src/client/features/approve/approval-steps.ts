import type { Custody } from "../../queries/custody.ts";
import type { Step } from "../../ui/stepper.tsx";
import type { ApprovalPhase } from "./approval-phase.ts";

/** Returns the set-up's steps as the stepper shows them: what the chain says, overlaid with what happens now. */
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

/** Returns the sentence under the title: which step this is and what is wanted from the user. */
export function stepSentence(phase: ApprovalPhase, walletName: string): string | undefined {
  switch (phase.kind) {
    case "review": {
      const { step, stepCount, label } = phase.prepared;
      return `Transaction ${step} of ${stepCount}: ${label}. Approve in ${walletName}.`;
    }
    case "renewing":
    case "wallet":
      return `Transaction ${phase.prepared.step} of ${phase.prepared.stepCount}: ${phase.prepared.label}.`;
    case "following": {
      const { step, stepCount, label } = phase.transaction;
      return `Transaction ${step} of ${stepCount}: ${label}.`;
    }
    default:
      return undefined;
  }
}
