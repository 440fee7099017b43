import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Approve } from "../../custody/approve.tsx";
import type { Agent } from "../../queries/agent.ts";
import { describeProblem } from "../../lib/problem.ts";
import { toastWorking } from "../../lib/toast.ts";
import { deletionQuery } from "../../queries/custody.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { DeletionFacts } from "./deletion-facts.tsx";
import { useDeleteRecords } from "./use-delete-records.ts";
import type { SignedInWallet } from "../../lib/session.ts";

export interface DeleteAgentDialogProps {
  readonly address: SignedInWallet;
  readonly agent: Agent;
  /** Called after the agent's records were deleted, with or without the chat. */
  readonly onDeleted: () => void;
  readonly onClose: () => void;
  /** Opens the confirmation for turning Auto-Trade off. */
  readonly onStop: () => void;
  /** Opens the withdrawal of the agent's funds. */
  readonly onWithdraw: () => void;
}

/**
 * Deletes an agent with custody: what refuses it, the transactions that bring everything home, then the records.
 *
 * Each step is checked against the chain, so that it may be left at any point and taken up again.
 */
export default function DeleteAgentDialog(props: DeleteAgentDialogProps) {
  const { address, agent, onDeleted, onClose } = props;
  const read = useQuery(deletionQuery(address, agent.id));
  const [stage, setStage] = useState<"ask" | "sign" | "records">("ask");
  const deleteRecords = useDeleteRecords(address, agent);
  const isWorking = stage !== "ask";

  useEffect(() => {
    return isWorking ? toastWorking({ title: "Deleting agent..." }) : undefined;
  }, [isWorking]);

  const finish = async () => {
    setStage("records");
    const isGone = await deleteRecords();
    if (isGone) onDeleted();
    else {
      setStage("ask");
      void read.refetch();
    }
  };

  if (stage === "sign") {
    return (
      <Approve
        address={address}
        agent={agent}
        intent="delete"
        onClose={() => {
          setStage("ask");
          void read.refetch();
        }}
        onDone={() => void finish()}
      />
    );
  }
  const deletion = read.isFetching && stage === "ask" ? undefined : read.data;
  const canDelete = deletion !== undefined && deletion.state !== "refused";
  return (
    <Dialog
      open
      keepOpenOutside
      size="small"
      onOpenChange={(open) => !open && stage === "ask" && onClose()}
      title={deletion?.state === "refused" ? "Cannot delete agent" : "Confirm Deletion"}
      description={agent.name}
      footer={
        <>
          <Button onClick={onClose} disabled={stage === "records"}>
            Cancel
          </Button>
          {read.isError && <Button onClick={() => void read.refetch()}>Try again</Button>}
          {deletion?.state === "refused" && <WayOn {...props} />}
          {canDelete && (
            <Button
              tone="danger"
              busy={stage === "records"}
              onClick={() => (deletion.state === "open" ? setStage("sign") : void finish())}
            >
              Delete
            </Button>
          )}
        </>
      }
    >
      {stage === "records" ? (
        <Spinner label="Deleting the records..." />
      ) : deletion !== undefined ? (
        <DeletionFacts deletion={deletion} />
      ) : read.isError ? (
        <p role="alert" className="text-sm">
          The agent's custody could not be read, so nothing is deleted.{" "}
          {describeProblem(read.error).message}
        </p>
      ) : (
        <Spinner label="Reading the chain..." />
      )}
    </Dialog>
  );
}

/** Steps required before deletion: stop the agent, then withdraw its funds. */
function WayOn({ agent, onStop, onWithdraw }: DeleteAgentDialogProps) {
  return agent.autoTrade !== "off" ? (
    <Button tone="primary" busy={agent.autoTrade === "stopping"} onClick={onStop}>
      Turn off Auto-Trade
    </Button>
  ) : (
    <Button tone="primary" onClick={onWithdraw}>
      Withdraw funds
    </Button>
  );
}
