import type { Agent } from "../queries/agent.ts";
import ApproveFlow from "../custody/approve-flow.tsx";
import DeleteAgentDialog from "../features/delete-agent/delete-agent-dialog.tsx";
import { showTab } from "../tabs/open-tabs.ts";
import { closeDialog, openAbove } from "./dialogs.ts";

interface DeleteAgentSlotProps {
  readonly address: string;
  readonly agent: Agent;
  /** The chat may be gone now. */
  readonly onDeleted: () => void;
  /** Brings the agent on screen whose funds are withdrawn next. */
  readonly onWithdraw: () => void;
}

/** Deleting an agent that has custody on chain; the approvals it takes come from their own feature. */
export default function DeleteAgentSlot({
  address,
  agent,
  onDeleted,
  onWithdraw,
}: DeleteAgentSlotProps) {
  return (
    <DeleteAgentDialog
      address={address}
      agent={agent}
      renderApproval={(slot) => <ApproveFlow {...slot} address={address} />}
      onDeleted={() => {
        closeDialog();
        onDeleted();
      }}
      onClose={closeDialog}
      onStop={() => openAbove("auto-trade")}
      onWithdraw={() => {
        closeDialog();
        onWithdraw();
        showTab("manage-funds");
      }}
    />
  );
}
