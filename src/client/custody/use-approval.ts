import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { approvalPorts, type ApprovalWallet } from "./approval-ports.ts";
import { createApproval } from "./approval-store.ts";
import type { Asked } from "./asked.ts";

/** Runs one approval for as long as it is on screen; coming back resumes what was sent. */
export function useApproval(
  asked: Asked,
  wallet: ApprovalWallet,
  openTransactionId: string | null,
) {
  // A new approval only when what was asked changes, not with every render of the parent
  const { intent, agentId, venue, wallet: owner, market, asset, amount } = asked;
  const approval = useMemo(
    () =>
      createApproval(
        intent,
        approvalPorts({ intent, agentId, venue, wallet: owner, market, asset, amount }, wallet),
      ),
    // oxlint-disable-next-line react/exhaustive-deps
    [intent, agentId, venue, owner, market, asset, amount],
  );
  useEffect(() => {
    approval.enter();
    void approval.start(openTransactionId);
    return () => approval.leave();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [approval]);
  return { approval, phase: useStore(approval.phase) };
}
