import { useQuery } from "@tanstack/react-query";
import ApproveFlow from "../custody/approve-flow.tsx";
import { agentQuery } from "../queries/agents.ts";
import { transactionQuery } from "../queries/transactions.ts";
import { closeDialog } from "./dialogs.ts";

interface ApprovalSlotProps {
  readonly address: string;
  readonly chatId: string;
  readonly transactionId: string;
}

/** Takes an approval up again that was closed while its transaction was under way. */
export default function ApprovalSlot({ address, chatId, transactionId }: ApprovalSlotProps) {
  const agent = useQuery(agentQuery(address, chatId)).data;
  const transaction = useQuery(transactionQuery(address, transactionId)).data;
  if (!agent || !transaction) return null;
  return (
    <ApproveFlow
      address={address}
      agent={agent}
      intent={transaction.intent}
      amount={transaction.amount ?? null}
      onClose={closeDialog}
      onDone={closeDialog}
    />
  );
}
