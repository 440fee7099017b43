import { useQuery } from "@tanstack/react-query";
import type { ChatId } from "../../domain/ids.ts";
import { closeDialog } from "../lib/dialogs.ts";
import { agentQuery } from "../queries/agents.ts";
import { transactionQuery } from "../queries/transactions.ts";
import { Approve } from "./approve.tsx";
import { useOwner } from "../lib/session.ts";

interface ResumeApprovalProps {
  readonly chatId: ChatId | "";
  readonly transactionId: string;
}

/** Reopens an approval that was closed while its transaction was pending. */
export function ResumeApproval({ chatId, transactionId }: ResumeApprovalProps) {
  const address = useOwner();
  const agent = useQuery(agentQuery(address, chatId)).data;
  const transaction = useQuery(transactionQuery(address, transactionId)).data;
  if (!agent || !transaction) return null;
  return (
    <Approve
      agent={agent}
      intent={transaction.intent}
      amount={transaction.amount}
      onClose={closeDialog}
      onDone={closeDialog}
    />
  );
}
