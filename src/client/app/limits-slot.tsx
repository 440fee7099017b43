import { useQuery } from "@tanstack/react-query";
import ApproveFlow from "../features/approve/approve-flow.tsx";
import { toastDone } from "../lib/toast.ts";
import { agentQuery } from "../queries/agents.ts";
import { closeDialog } from "./dialogs.ts";

interface LimitsSlotProps {
  readonly address: string;
  readonly chatId: string;
}

/** What the trading key may move follows the asset; the agent is saved whether the owner approves that or not. */
export default function LimitsSlot({ address, chatId }: LimitsSlotProps) {
  const agent = useQuery(agentQuery(address, chatId)).data;
  if (!agent) return null;
  return (
    <ApproveFlow
      address={address}
      agent={agent}
      intent="update-limits"
      amount={null}
      onClose={closeDialog}
      onDone={() => {
        toastDone({ title: "Spending Limits Updated" });
        closeDialog();
      }}
    />
  );
}
