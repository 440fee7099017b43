import { useQuery } from "@tanstack/react-query";
import ApproveFlow from "../custody/approve-flow.tsx";
import DepositDialog from "../features/funds/deposit-dialog.tsx";
import { agentQuery } from "../queries/agents.ts";
import { ensureConnected } from "../wallet/ensure-connected.ts";
import { wallet } from "../wallet/wallet.ts";
import { closeDialog, openDepositDialog } from "./dialogs.ts";

interface MoneyDialogSlotProps {
  readonly address: string;
  readonly chatId: string;
}

/** The first deposit. Custody is set up before: money goes nowhere until the vault is the owner's. */
export default function MoneyDialogSlot({ address, chatId }: MoneyDialogSlotProps) {
  const agent = useQuery(agentQuery(address, chatId)).data;
  if (!agent) return null;
  const isSetUp = agent.custody?.isDelegated === true;
  if (!isSetUp) {
    return (
      <ApproveFlow
        address={address}
        agent={agent}
        intent="set-up"
        amount={null}
        onClose={closeDialog}
        onDone={() => openDepositDialog({ chatId })}
      />
    );
  }
  return (
    <DepositDialog
      address={address}
      agent={agent}
      onClose={closeDialog}
      ensureWallet={() => ensureConnected(wallet)}
      renderApproval={(slot) => <ApproveFlow {...slot} address={address} />}
    />
  );
}
