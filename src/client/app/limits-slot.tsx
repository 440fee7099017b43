import { useQuery } from "@tanstack/react-query";
import ApproveFlow from "../custody/approve-flow.tsx";
import { toastDone, toastProblem } from "../lib/toast.ts";
import { agentQuery } from "../queries/agents.ts";
import { closeDialog, openDepositDialog } from "./dialogs.ts";

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
      onClose={() => {
        toastProblem({
          title: "Spending Limits Warning",
          message: `The agent is saved, but the trading key may not move ${agent.marketId} yet. Update the limits under Manage Funds.`,
        });
        closeDialog();
      }}
      onDone={() => {
        toastDone({ title: "Spending Limits Updated" });
        if (!agent.isFunded) openDepositDialog(agent);
        else closeDialog();
      }}
    />
  );
}
