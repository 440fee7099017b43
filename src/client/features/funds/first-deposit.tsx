import { useQuery } from "@tanstack/react-query";
import { Approve } from "../../custody/approve.tsx";
import { closeDialog } from "../../lib/dialogs.ts";
import { agentQuery } from "../../queries/agents.ts";
import DepositDialog from "./deposit-dialog.tsx";

interface FirstDepositProps {
  readonly address: string;
  readonly chatId: string;
}

/** Dialog of the first deposit. Custody is set up first, so that money only goes to a vault the owner controls. */
export default function FirstDeposit({ address, chatId }: FirstDepositProps) {
  const agent = useQuery(agentQuery(address, chatId)).data;
  if (!agent) return null;
  // After confirmation the agent is refetched and the next step is shown
  if (agent.custody?.hasTradingKey !== true) {
    return <Approve address={address} agent={agent} intent="set-up" onClose={closeDialog} />;
  }
  return <DepositDialog address={address} agent={agent} />;
}
