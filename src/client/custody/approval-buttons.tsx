import { isBuiltIn, type Network } from "../../domain/network.ts";
import { Button } from "../ui/button.tsx";
import type { ApprovalPhase } from "./approval-phase.ts";
import type { Approval } from "./create-approval.ts";
import { FaucetButton } from "./faucet-button.tsx";

/** Returns whether an asset cannot be sold: no quote, or a route too large for one transaction. */
const isUnsellable = (code: string | undefined) =>
  code === "no_route" || code === "transaction_too_large";

/** Returns whether the wallet lacks SOL or quote tokens. */
const lacksMoney = (code: string | undefined) =>
  code === "wallet_balance_too_low" ||
  code === "set_up_balance_too_low" ||
  code === "balance_insufficient";

interface ApprovalButtonsProps {
  /** On a built-in one the faucet gives what the wallet lacks. */
  readonly network: Network;
  readonly approval: Pick<Approval, "start" | "approve">;
  readonly phase: ApprovalPhase;
  readonly walletName: string;
  /** True while the reviewed transaction must not be approved. */
  readonly isRefused: boolean;
  readonly onMoveInstead: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Buttons of each phase: approve, retry, move unsold assets, take play money, close. */
export function ApprovalButtons(props: ApprovalButtonsProps) {
  const { approval, phase, walletName, network, isRefused, onMoveInstead, onClose } = props;
  const isAsking = phase.kind === "wallet" || phase.kind === "renewing";
  const isBusy = isAsking || phase.kind === "preparing";
  const code = phase.kind === "stopped" ? phase.problem?.code : undefined;
  return (
    <>
      <Button onClick={onClose}>{phase.kind === "review" ? "Cancel" : "Close"}</Button>
      {isUnsellable(code) && onMoveInstead && (
        <Button onClick={onMoveInstead}>Move it to your wallet</Button>
      )}
      {lacksMoney(code) && isBuiltIn(network) && (
        <FaucetButton network={network} onDone={() => void approval.start(null)} />
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
          disabled={phase.kind === "preparing" || (phase.kind === "review" && isRefused)}
          onClick={() => void approval.approve()}
        >
          {isBusy ? "Processing ..." : `Approve in ${walletName}`}
        </Button>
      )}
    </>
  );
}
