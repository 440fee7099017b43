import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { closePosition } from "../../../contract/agents.ts";
import { getPosition } from "../../../contract/trade.ts";
import { assetOf } from "../../../venues/profiles.ts";
import { displayDecimal, sizeDecimals } from "../../lib/format.ts";
import { newId } from "../../lib/new-id.ts";
import { toastNote } from "../../lib/toast.ts";
import { useAgentChange, useRead } from "../../queries/read.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Segments } from "../../ui/segments.tsx";

/** Parts of a position that can be closed, in percent. */
const PORTIONS = [
  { value: "25", label: "25%" },
  { value: "50", label: "50%" },
  { value: "75", label: "75%" },
  { value: "100", label: "All" },
] as const;

interface ClosePositionDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Confirmation before the agent's position is closed; auto-trade stays as it is. */
export default function ClosePositionDialog({ agent, onClose }: ClosePositionDialogProps) {
  const { data } = useRead(getPosition, { query: { agentId: agent.id } });
  const close = useAgentChange(closePosition, { toast: "failures" });
  // One id per opened dialog: a repeated request closes nothing twice
  const [requestId] = useState(newId);
  // The side the dialog was opened with: after a reversal nothing else is closed
  const [side, setSide] = useState(data?.side);
  const [portion, setPortion] = useState<(typeof PORTIONS)[number]["value"]>("100");
  if (side === undefined && data?.side !== undefined) setSide(data.side);
  if (side === undefined || data?.side !== side) {
    const isRead = data?.available === true;
    return (
      <AlertDialog
        onClose={onClose}
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
  const held = data.position.replace("-", "");
  const size = String((Number(held) * Number(portion)) / 100);
  const about = portion === "100" ? "" : "about ";
  const amount = `${displayDecimal(size, sizeDecimals(size))} ${assetOf(agent.marketId)}`;
  const act = () =>
    close.mutate(
      {
        params: { agentId: agent.id },
        body: { side, requestId, ...(portion !== "100" && { portion: Number(portion) }) },
      },
      {
        onSuccess: () => {
          toastNote({
            title: "Closing Position",
            message: `It is tried until ${portion === "100" ? "the position" : "that part"} is closed. The log shows the result.`,
          });
          onClose();
        },
      },
    );
  return (
    <AlertDialog
      onClose={onClose}
      title="Close Position?"
      actionLabel={`Close ${side} ${amount}`}
      busy={close.isPending}
      onAction={act}
    >
      <div className="mb-3">
        <Segments label="Part to close" value={portion} options={PORTIONS} onChange={setPortion} />
      </div>
      {side === "long" ? "Sells" : "Buys back"} {about}
      {amount} at the market price. The first try allows {agent.slippagePercent}% slippage; later
      tries allow more, so that it is closed.{" "}
      {agent.autoTrade === "on" &&
        "Auto-Trade stays on: the agent may enter again at its next signal."}
    </AlertDialog>
  );
}
