import { Button } from "../ui/button.tsx";
import type { ApprovalPhase } from "./approval-phase.ts";
import type { Approval } from "./create-approval.ts";

/** Returns whether an asset cannot be sold: no quote, or a route too large for one transaction. */
const isUnsellable = (code: string | undefined) =>
  code === "no_route" || code === "transaction_too_large";

interface ApprovalButtonsProps {
  readonly approval: Pick<Approval, "start" | "approve">;
  readonly phase: ApprovalPhase;
  readonly walletName: string;
  readonly onMoveInstead: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Buttons of each phase: approve, retry, move unsold assets, close. */
export function ApprovalButtons(props: ApprovalButtonsProps) {
  const { approval, phase, walletName, onMoveInstead, onClose } = props;
  const isAsking = phase.kind === "wallet" || phase.kind === "renewing";
  const isBusy = isAsking || phase.kind === "preparing";
  const code = phase.kind === "stopped" ? phase.problem?.code : undefined;
  return (
    <>
      <Button onClick={onClose}>{phase.kind === "review" ? "Cancel" : "Close"}</Button>
      {isUnsellable(code) && onMoveInstead && (
        <Button onClick={onMoveInstead}>Move it to your wallet</Button>
      )}
      {(phase.kind === "stopped" || phase.kind === "blocked") && (
        <Button tone="primary" onClick={() => void approval.start(null)}>
          Try again
        </Button>
      )}
      {(phase.kind === "review" || isBusy) && (
        <Button
          tone="primary"
          busy={isAsking}
          disabled={phase.kind === "preparing"}
          onClick={() => void approval.approve()}
        >
          {isBusy ? "Processing ..." : `Approve in ${walletName}`}
        </Button>
      )}
    </>
  );
}
