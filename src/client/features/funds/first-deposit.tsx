import { getAgentByChat } from "../../../contract/agents.ts";
import { useRead } from "../../queries/read.ts";
import type { ChatId } from "../../../domain/ids.ts";
import { Approve } from "../../custody/approve.tsx";
import { closeDialog } from "../../lib/dialogs.ts";
import DepositDialog from "./deposit-dialog.tsx";

interface FirstDepositProps {
  readonly chatId: ChatId | "";
  /** Amount that is filled in. */
  readonly amount?: string | undefined;
}

/** Dialog of the first deposit. Custody is set up first, so that money only goes to a vault the owner controls. */
export default function FirstDeposit({ chatId, amount }: FirstDepositProps) {
  const agent = useRead(getAgentByChat, { params: { chatId } }).data;
  if (!agent) return null;
  // After confirmation the agent is refetched and the next step is shown
  if (agent.custody?.tradingKey.isAuthorised !== true) {
    return <Approve agent={agent} intent="set-up" opensWallet onClose={closeDialog} />;
  }
  return <DepositDialog agent={agent} proposed={amount} />;
}
