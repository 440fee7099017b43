import type { Agent } from "../../contract/agent.ts";
import ApproveFlow from "../features/approve/approve-flow.tsx";
import DeleteAgentDialog from "../features/delete-agent/delete-agent-dialog.tsx";
import { closeDialog } from "./dialogs.ts";

interface DeleteAgentSlotProps {
  readonly address: string;
  readonly agent: Agent;
  /** The chat may be gone now. */
  readonly onDeleted: () => void;
}

/** Deleting an agent that has custody on chain; the approvals it takes come from their own feature. */
export default function DeleteAgentSlot({ address, agent, onDeleted }: DeleteAgentSlotProps) {
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
    />
  );
}
