import { useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "zustand";
import type { RequestedApproval } from "./requested-approval.ts";
import { createApproval } from "./create-approval.ts";
import { type ApprovalFollower, followApproval } from "./follow-approval.ts";
import { type ApprovalWallet, pagePorts } from "./page-ports.ts";

/** Runs one approval while mounted; mounting again resumes a sent transaction. */
export function useApproval(
  asked: RequestedApproval,
  wallet: ApprovalWallet,
  openTransactionId: string | null,
  follower: ApprovalFollower,
) {
  // Depends on the request's fields, so that a parent's render does not create a new approval
  const { intent, agentId, venue, wallet: owner, market, asset, amount } = asked;
  const approval = useMemo(
    () =>
      createApproval(
        intent,
        pagePorts({ intent, agentId, venue, wallet: owner, market, asset, amount }, wallet),
      ),
    // oxlint-disable-next-line react/exhaustive-deps
    [intent, agentId, venue, owner, market, asset, amount],
  );
  const currentFollower = useEffectEvent(() => follower);
  useEffect(() => {
    const stopFollowing = followApproval(approval, () => currentFollower());
    approval.enter();
    void approval.start(openTransactionId);
    return () => {
      approval.leave();
      stopFollowing();
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [approval]);
  return { approval, phase: useStore(approval.phase) };
}
