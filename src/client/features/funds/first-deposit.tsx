import { useQuery } from "@tanstack/react-query";
import type { ChatId } from "../../../domain/ids.ts";
import { Approve } from "../../custody/approve.tsx";
import { closeDialog } from "../../lib/dialogs.ts";
import { agentQuery } from "../../queries/agents.ts";
import DepositDialog from "./deposit-dialog.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

interface FirstDepositProps {
  readonly address: SignedInWallet;
  readonly chatId: ChatId | "";
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
