import { useQuery, useQueryClient } from "@tanstack/react-query";
import { custodyQuery, type Custody } from "../queries/custody.ts";
import { deploymentQuery } from "../queries/deployment.ts";
import { explorerLink } from "../queries/explorer.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Stepper } from "../ui/stepper.tsx";
import { ApprovalButtons } from "./approval-buttons.tsx";
import { pinnedMultisig } from "./approval-memory.ts";
import type { StoppedPhase } from "./approval-phase.ts";
import { ApprovalProgress } from "./approval-progress.tsx";
import { approvalSteps, stepSentence } from "./approval-steps.ts";
import type { ApproveProps } from "./approve-props.ts";
import { intentTitle } from "./intent-title.ts";
import { VENUE_WARNINGS } from "../../venues/warnings.ts";
import { ReviewPanel } from "./review-panel.tsx";
import { stopWords } from "./stop-words.ts";
import { useApproval } from "./use-approval.ts";
import { useApprovalWallet } from "./use-approval-wallet.ts";

/** Runs the approval of every transaction of one intent: review, check in this browser, signature, confirmation. */
export default function ApproveFlow(props: ApproveProps) {
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
  return <ApprovalDialog {...props} custody={custody.data} />;
}

function ApprovalDialog(props: ApproveProps & { readonly custody: Custody }) {
  const { address, agent, intent, custody, onClose } = props;
  const wallet = useApprovalWallet();
  const client = useQueryClient();
  const deployment = useQuery(deploymentQuery).data;
  const isVaultReady = custody.steps[0]?.state === "done";
  const wordsOf = (stopped: StoppedPhase) =>
    stopWords({ intent, venue: agent.venue, isVaultReady }, stopped);
  const { approval, phase } = useApproval(
    {
      intent,
      agentId: agent.id,
      venue: agent.venue,
      wallet: address,
      market: agent.marketId,
      asset: props.asset ?? null,
      amount: props.amount ?? null,
    },
    wallet,
    custody.openTransactionId,
    {
      client,
      address,
      agentId: agent.id,
      told: props.told,
      wordsOf,
      onDone: () => props.onDone?.(),
    },
  );
  return (
    <Dialog
      open
      keepOpenOutside
      onOpenChange={(open) => !open && onClose()}
      title={intentTitle(intent)}
      description={stepSentence(phase, wallet.name)}
      footer={
        <ApprovalButtons
          approval={approval}
          phase={phase}
          walletName={wallet.name}
          faucetFor={agent.network === "practice" ? address : null}
          onMoveInstead={props.onMoveInstead}
          onClose={onClose}
        />
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
            stolenKey={VENUE_WARNINGS[agent.venue].stolenKey}
            isPinned={pinnedMultisig(agent.id) === phase.prepared.multisig}
          />
        ) : (
          <ApprovalProgress
            phase={phase}
            stopped={phase.kind === "stopped" ? wordsOf(phase) : null}
            walletName={wallet.name}
            explorerUrl={explorerLink(deployment, agent.network)}
          />
        )}
      </div>
    </Dialog>
  );
}
