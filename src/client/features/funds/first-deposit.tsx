import { useQuery } from "@tanstack/react-query";
import { Approve } from "../../custody/approve.tsx";
import { agentQuery } from "../../queries/agents.ts";
import DepositDialog from "./deposit-dialog.tsx";

interface FirstDepositProps {
  readonly address: string;
  readonly chatId: string;
  readonly onClose: () => void;
}

/** The first deposit. Custody is set up before: money goes nowhere until the vault is the owner's. */
export default function FirstDeposit({ address, chatId, onClose }: FirstDepositProps) {
  const agent = useQuery(agentQuery(address, chatId)).data;
  if (!agent) return null;
  // Once it landed the agent is read again, and what comes next is shown
  if (agent.custody?.isDelegated !== true) {
    return <Approve address={address} agent={agent} intent="set-up" onClose={onClose} />;
  }
  return <DepositDialog address={address} agent={agent} onClose={onClose} />;
}
