import { type Deletion, getDeletion } from "../../../contract/custody.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Approve } from "../../custody/approve.tsx";
import type { Agent } from "../../../contract/agent.ts";
import { describeProblem, isApiError, isNetworkError } from "../../lib/problem.ts";
import { toastWorking, toastDone, toastProblem } from "../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useOwner } from "../../lib/session.ts";
import { formatDecimal } from "../../../domain/amount.ts";
import { deleteAgent as deleteAgentRoute } from "../../../contract/agents.ts";
import { deleteChat as deleteChatRoute } from "../../../contract/chats.ts";
import { read, useChange, useRead } from "../../queries/read.ts";

export interface DeleteAgentDialogProps {
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
  const { agent, onDeleted, onClose } = props;
  const read = useRead(getDeletion, { params: { agentId: agent.id } });
  const [stage, setStage] = useState<"ask" | "sign" | "records">("ask");
  const deleteRecords = useDeleteRecords(agent);
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
      keepOpenOutside
      size="small"
      onClose={() => stage === "ask" && onClose()}
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

const SOL_DECIMALS = 9;

const sol = (lamports: string): string => `${formatDecimal(BigInt(lamports), SOL_DECIMALS)} SOL`;

/** Merges steps of equal name into one with its number of transactions. */
function countAlike(labels: readonly string[]): readonly string[] {
  return [...new Set(labels)].map((label) => {
    const count = labels.filter((each) => each === label).length;
    return count === 1 ? label : `${label} (${count} transactions)`;
  });
}

/** Facts about a deletion: transactions, recovered and unrecoverable funds. */
function DeletionFacts({ deletion }: { readonly deletion: Deletion }) {
  if (deletion.refusal !== null) {
    return (
      <p role="alert" className="text-sm">
        {deletion.refusal}
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>The agent, its rules, its log and its chat will be deleted. This cannot be undone.</p>
      {deletion.steps.length > 0 && (
        <>
          <p>Before that you approve in your wallet:</p>
          <ol aria-label="Steps left" className="list-decimal pl-5">
            {countAlike(deletion.steps).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      )}
      <dl className="flex flex-col gap-1 rounded-md border border-line px-3 py-2 text-xs">
        <Line label="Still to come back">{sol(deletion.recoverableLamports)}</Line>
        {deletion.recoveredLamports !== "0" && (
          <Line label="Already recovered">{sol(deletion.recoveredLamports)}</Line>
        )}
        <Line label="Stays in the vault">{sol(deletion.keptLamports)}</Line>
        <Line label="Never recoverable">{sol(deletion.unrecoverableLamports)}</Line>
      </dl>
      {deletion.warnings
        .filter((warning) => !warning.startsWith("Recovered"))
        .map((warning) => (
          <p key={warning} className="text-xs text-warn">
            {warning}
          </p>
        ))}
      <p className="text-xs text-muted">
        You can stop at any step: nothing is lost, and deleting goes on from there.
      </p>
    </div>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Running deletions by agent id; an approval may report its end more than once. */
const running = new Map<string, Promise<boolean>>();

const reasonOf = (error: unknown): string => describeProblem(error).message;

/**
 * Deletes an agent's records once nothing on chain needs them: the agent first, then its chat. Answers whether the
 * agent is gone; every failure is told in the specification's words.
 */
function useDeleteRecords({ id: agentId, chatId }: Agent) {
  const address = useOwner();
  const client = useQueryClient();
  const deleteAgent = useChange(deleteAgentRoute);
  const deleteChat = useChange(deleteChatRoute);

  const deleteBoth = async (): Promise<boolean> => {
    let warnings: readonly string[];
    try {
      warnings = (await client.fetchQuery(read(address, getDeletion, { params: { agentId } })))
        .warnings;
      await deleteAgent.mutateAsync({ params: { agentId } });
    } catch (error) {
      if (!isApiError(error) && !isNetworkError(error)) {
        toastProblem({
          title: "Deletion failed",
          message: "An unexpected error occurred during agent deletion",
        });
        return false;
      }
      toastProblem({
        title: "Agent deletion failed",
        message: `Failed to delete agent from database: ${reasonOf(error)} Agent deletion failed - chat preserved to maintain data consistency.`,
      });
      return false;
    }
    for (const message of warnings.filter((text) => !text.startsWith("Recovered"))) {
      toastProblem({ title: "Agent deleted, with a warning", message });
    }
    try {
      await deleteChat.mutateAsync({ params: { chatId } });
    } catch (error) {
      toastProblem({
        title: "Failed to delete chat",
        message: `${reasonOf(error)} The agent is deleted. Please delete the chat manually.`,
      });
    }
    const recovered = warnings.find((text) => text.startsWith("Recovered"));
    toastDone({
      title: "Agent deleted successfully",
      ...(recovered !== undefined && { message: recovered }),
    });
    return true;
  };

  return (): Promise<boolean> => {
    const begun = running.get(agentId) ?? deleteBoth().finally(() => running.delete(agentId));
    running.set(agentId, begun);
    return begun;
  };
}
