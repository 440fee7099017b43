import { getAgentByChat } from "../../../contract/agents.ts";
import { useRead } from "../../queries/read.ts";
import type { ChatId } from "../../../domain/ids.ts";
import { Approve } from "../../custody/approve.tsx";
import { toastProblem } from "../../lib/toast.ts";
import { closeDialog, openDepositDialog } from "../../lib/dialogs.ts";

interface AssetLimitsProps {
  readonly chatId: ChatId | "";
}

/** Approval of spending limits for a changed asset; the agent stays saved even when the owner declines. */
export default function AssetLimits({ chatId }: AssetLimitsProps) {
  const agent = useRead(getAgentByChat, { params: { chatId } }).data;
  if (!agent) return null;
  return (
    <Approve
      agent={agent}
      intent="update-limits"
      told={{ title: "Spending Limits Updated" }}
      onClose={() => {
        toastProblem({
          title: "Spending Limits Warning",
          message: `The agent is saved, but the trading key may not move ${agent.marketId} yet. Update the limits under Manage Funds.`,
        });
        closeDialog();
      }}
      onDone={() => (agent.subAccountId === undefined ? openDepositDialog(agent) : closeDialog())}
    />
  );
}
