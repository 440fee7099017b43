import { getAgentByChat } from "../../../contract/agents.ts";
import { useRead } from "../../queries/read.ts";
import type { ChatId } from "../../../domain/ids.ts";
import { Approve } from "../../custody/approve.tsx";
import { toastProblem } from "../../lib/toast.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { closeDialog, openDepositDialog } from "../../lib/dialogs.ts";

/** Approval of what the chain allows after a changed asset or leverage; the agent stays saved even when the owner declines. */
export default function AssetLimits({ chatId }: { readonly chatId: ChatId | "" }) {
  const agent = useRead(getAgentByChat, { params: { chatId } }).data;
  if (!agent) return null;
  const hasLimits = VENUE_PROFILES[agent.venue].hasSpendingLimits;
  const declined = hasLimits
    ? {
        title: "Spending Limits Warning",
        message: `The agent is saved, but the trading key may not move ${agent.marketId} yet. Update the limits under Manage Funds.`,
      }
    : {
        title: "Leverage Warning",
        message: `The agent is saved, but its exchange account does not take orders with leverage ${agent.leverage ?? 1} yet: no entry is sent. Allow it under Manage Funds.`,
      };
  return (
    <Approve
      agent={agent}
      intent="update-limits"
      told={{ title: hasLimits ? "Spending Limits Updated" : "Leverage Allowed" }}
      onClose={() => {
        toastProblem(declined);
        closeDialog();
      }}
      onDone={() => (agent.subAccountId === undefined ? openDepositDialog(agent) : closeDialog())}
    />
  );
}
