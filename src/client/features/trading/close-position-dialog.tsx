import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { closePosition } from "../../../contract/agents.ts";
import { getPosition } from "../../../contract/trade.ts";
import { assetOf } from "../../../venues/profiles.ts";
import { displayMoney, sizeDecimals } from "../../lib/format.ts";
import { newId } from "../../lib/new-id.ts";
import { toastError, toastNote } from "../../lib/toast.ts";
import { useAgentChange, useRead } from "../../queries/read.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";

interface ClosePositionDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Confirmation before the agent's position is closed; auto-trade stays as it is. */
export default function ClosePositionDialog({ agent, onClose }: ClosePositionDialogProps) {
  const { data } = useRead(getPosition, { query: { agentId: agent.id } });
  const close = useAgentChange(closePosition);
  // One id per opened dialog: a repeated request closes nothing twice
  const [requestId] = useState(newId);
  // The side the dialog was opened with: after a reversal nothing else is closed
  const [side, setSide] = useState(data?.side);
  if (side === undefined && data?.side !== undefined) setSide(data.side);
  if (side === undefined || data?.side !== side) {
    const isRead = data?.available === true;
    return (
      <AlertDialog
        open
        onOpenChange={onClose}
        title={isRead ? "Nothing to Close" : "Position Not Known"}
        cancelLabel="OK"
      >
        {isRead
          ? side === undefined
            ? "The agent has no open position."
            : `The ${side} position is closed.`
          : "The position cannot be read at the moment, so nothing was closed. Please try again."}
      </AlertDialog>
    );
  }
  const size = data.position.replace("-", "");
  const amount = `${displayMoney(size, sizeDecimals(size))} ${assetOf(agent.marketId)}`;
  const act = () =>
    close.mutate(
      { params: { agentId: agent.id }, body: { side, requestId } },
      {
        onSuccess: () => {
          toastNote({
            title: "Closing Position",
            message: "It is tried until the position is closed. The log shows the result.",
          });
          onClose();
        },
        onError: toastError,
      },
    );
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Close Position?"
      actionLabel={`Close ${side} ${amount}`}
      busy={close.isPending}
      onAction={act}
    >
      {side === "long" ? "Sells" : "Buys back"} {amount} at the market price. The first try allows{" "}
      {agent.slippagePercent}% slippage; later tries allow more, so that the position is closed.{" "}
      {agent.autoTrade === "on" &&
        "Auto-Trade stays on: the agent may enter again at its next signal."}
    </AlertDialog>
  );
}
