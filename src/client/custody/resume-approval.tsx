import { getAgentByChat } from "../../contract/agents.ts";
import { useRead } from "../queries/read.ts";
import type { ChatId } from "../../domain/ids.ts";
import { closeDialog } from "../lib/dialogs.ts";
import { useTransaction } from "../queries/transactions.ts";
import { Approve } from "./approve.tsx";

interface ResumeApprovalProps {
  readonly chatId: ChatId | "";
  readonly transactionId: string;
}

interface ProposedWithdrawalProps {
  readonly chatId: ChatId | "";
  /** Whole quote units. */
  readonly amount: string;
}

/** Approval of a withdrawal that an assistant proposed and its owner agreed to. */
export function ProposedWithdrawal({ chatId, amount }: ProposedWithdrawalProps) {
  const agent = useRead(getAgentByChat, { params: { chatId } }).data;
  if (!agent) return null;
  return (
    <Approve
      agent={agent}
      intent="withdraw"
      amount={amount}
      told={{ title: "Withdrawal successful" }}
      onClose={closeDialog}
      onDone={closeDialog}
    />
  );
}

/** Reopens an approval that was closed while its transaction was pending. */
export function ResumeApproval({ chatId, transactionId }: ResumeApprovalProps) {
  const agent = useRead(getAgentByChat, { params: { chatId } }).data;
  const transaction = useTransaction(transactionId).data;
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
