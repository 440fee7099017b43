import { getCustody } from "../../contract/custody.ts";
import { useRead } from "../queries/read.ts";
import type { Agent } from "../../contract/agent.ts";
import { useTransaction } from "../queries/transactions.ts";
import { Spinner } from "../ui/spinner.tsx";
import { openDialog } from "../lib/dialogs.ts";

interface ApprovalPillProps {
  readonly agent: Agent;
}

/** Header button shown while a transaction of the agent is pending; reopens its approval. */
export function ApprovalPill({ agent }: ApprovalPillProps) {
  const { data: custody } = useRead(getCustody, { params: { agentId: agent.id } });
  const openId = custody?.openTransactionId ?? "";
  const { data: transaction } = useTransaction(openId);
  if (openId === "" || transaction?.state !== "sent") return null;
  return (
    <button
      type="button"
      onClick={() =>
        openDialog({ kind: "approval", chatId: agent.chatId, transactionId: transaction.id })
      }
      className="tint inline-flex h-8 min-w-0 items-center gap-2 rounded-full border border-transparent bg-warn-soft px-2 lg:px-3 text-xs font-medium text-warn hover:border-warn"
    >
      <Spinner />
      <span className="truncate max-lg:sr-only">
        {transaction.label} - transaction {transaction.step} of {transaction.stepCount}
      </span>
    </button>
  );
}
