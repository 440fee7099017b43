import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Agent } from "../queries/agent.ts";
import { live } from "../lib/live.ts";
import { custodyQuery, type Custody } from "../queries/custody.ts";
import { deploymentQuery } from "../queries/deployment.ts";
import { explorerLink } from "../queries/explorer.ts";
import { keysOf } from "../queries/keys.ts";
import { toastFault } from "../lib/toast.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Stepper } from "../ui/stepper.tsx";
import { pinnedMultisig } from "./approval-memory.ts";
import { ApprovalProgress } from "./approval-progress.tsx";
import { approvalSteps, stepSentence } from "./approval-steps.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { intentTitle } from "./intent-title.ts";
import { ReviewPanel } from "./review-panel.tsx";
import { stopWords } from "./stop-words.ts";
import { useApproval } from "./use-approval.ts";
import { useApprovalWallet } from "./use-approval-wallet.ts";

export interface ApproveFlowProps {
  readonly address: string;
  readonly agent: Agent;
  readonly intent: CustodyIntent;
  /** Whole quote units as typed; null for intents without an amount. */
  readonly amount: string | null;
  /** The one asset to move; absent: all of them, or the intent moves none. */
  readonly asset?: string | undefined;
  /** Moves what could not be sold; absent where that is not offered. */
  readonly onMoveInstead?: (() => void) | undefined;
  readonly onClose: () => void;
  /** Everything the intent asks for has landed with the expected effect. */
  readonly onDone: () => void;
}

/** Walks the owner through every transaction of one intent: shown, checked in this browser, approved, followed. */
/** Nobody buys it now, or the route does not fit into what a wallet signs. */
const isUnsellable = (code: string | undefined) =>
  code === "no_route" || code === "transaction_too_large";

export default function ApproveFlow(props: ApproveFlowProps) {
  const custody = useQuery({ ...custodyQuery(props.address, props.agent.id), staleTime: 0 });
  if (custody.data === undefined) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && props.onClose()}
        title={intentTitle(props.intent)}
        footer={
          <>
            <Button onClick={props.onClose}>Close</Button>
            {custody.isError && <Button onClick={() => void custody.refetch()}>Try again</Button>}
          </>
        }
      >
        {custody.isError ? (
          <p role="alert">The custody of this agent could not be read. Nothing was sent.</p>
        ) : (
          <Spinner label="Reading the chain..." />
        )}
      </Dialog>
    );
  }
  return <Approval {...props} custody={custody.data} />;
}

function Approval(props: ApproveFlowProps & { readonly custody: Custody }) {
  const { address, agent, intent, amount, custody, onDone, onClose } = props;
  const wallet = useApprovalWallet();
  const client = useQueryClient();
  const deployment = useQuery(deploymentQuery).data;
  const { approval, phase } = useApproval(
    {
      intent,
      agentId: agent.id,
      venue: agent.venue,
      wallet: address,
      market: agent.marketId,
      asset: props.asset ?? null,
      amount,
    },
    wallet,
    custody.openTransactionId,
  );

  const isDone = phase.kind === "done";
  useEffect(() => {
    // Push tells of the steps in between; without it the page has to ask
    if (!isDone && live.getState().isConnected) return;
    const keys = keysOf(address);
    const stale = [keys.custody(agent.id), keys.agents, keys.chats, keys.allBalances];
    for (const queryKey of stale) void client.invalidateQueries({ queryKey });
    if (isDone) onDone();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isDone, phase.kind === "review"]);

  const stopped = phase.kind === "stopped" ? phase : null;
  const isVaultReady = custody.steps[0]?.state === "done";
  const words = stopped && stopWords({ intent, venue: agent.venue, isVaultReady }, stopped);
  useEffect(() => {
    // Said here as well, for the dialog may be closed before it is read
    if (words !== null) toastFault(words);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [stopped]);

  const explorer = explorerLink(deployment, agent.network);
  const isBusy = phase.kind === "wallet" || phase.kind === "renewing" || phase.kind === "preparing";
  return (
    <Dialog
      open
      keepOpenOutside
      onOpenChange={(open) => !open && onClose()}
      title={intentTitle(intent)}
      description={stepSentence(phase, wallet.name)}
      footer={
        <>
          <Button onClick={onClose}>{phase.kind === "review" ? "Cancel" : "Close"}</Button>
          {isUnsellable(stopped?.problem?.code) && props.onMoveInstead && (
            <Button onClick={props.onMoveInstead}>Move it to your wallet</Button>
          )}
          {(phase.kind === "stopped" || phase.kind === "blocked") && (
            <Button tone="primary" onClick={() => void approval.start(null)}>
              Try again
            </Button>
          )}
          {(phase.kind === "review" || isBusy) && (
            <Button
              tone="primary"
              busy={phase.kind === "wallet" || phase.kind === "renewing"}
              disabled={phase.kind === "preparing"}
              onClick={() => void approval.approve()}
            >
              {isBusy ? "Processing ..." : `Approve in ${wallet.name}`}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {intent === "set-up" && (
          <Stepper label="Set-up steps" steps={approvalSteps(custody.steps, phase)} />
        )}
        {phase.kind === "review" ? (
          <ReviewPanel
            prepared={phase.prepared}
            summary={phase.summary}
            note={phase.note}
            isPinned={pinnedMultisig(agent.id) === phase.prepared.multisig}
          />
        ) : (
          <ApprovalProgress
            phase={phase}
            stopped={words}
            walletName={wallet.name}
            explorerUrl={explorer}
          />
        )}
      </div>
    </Dialog>
  );
}
