import type { QueryClient } from "@tanstack/react-query";
import type { AgentId } from "../../domain/ids.ts";
import { live } from "../lib/live.ts";
import { type ToastText, toastDone, toastFault } from "../lib/toast.ts";
import { markStale } from "../queries/stale.ts";
import { pinMultisig } from "./approval-memory.ts";
import type { StoppedPhase } from "./approval-phase.ts";
import type { Approval } from "./create-approval.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Owner and options of one approval. */
export interface ApprovalFollower {
  readonly client: QueryClient;
  readonly address: SignedInWallet;
  readonly agentId: AgentId;
  /** Toast shown after the last confirmation; absent shows none. */
  readonly told?: ToastText | undefined;
  wordsOf(stopped: StoppedPhase): ToastText;
  onDone(): void;
}

function refresh({ client, address, agentId }: ApprovalFollower): void {
  void markStale(client, address, [{ topic: "custody", id: agentId }]);
}

/**
 * Connects an approval's events with their effects: refetching, remembering and toasts. `current` returns
 * the present follower. Returns a function that disconnects them.
 */
export function followApproval(approval: Approval, current: () => ApprovalFollower): () => void {
  // Push reports intermediate steps; without it the page has to refetch
  const refreshUnlessPushed = (): void => {
    if (!live.getState().isConnected) refresh(current());
  };
  const { agentId } = current();
  // Never unsubscribed: the wallet can sign after the dialog closed, and the multisig must still be recorded
  approval.on("signed", ({ prepared, summary }) => {
    if (summary.effects.some(({ kind }) => kind === "create-multisig")) {
      pinMultisig(agentId, prepared.multisig);
    }
  });
  const stops = [
    approval.on("prepared", refreshUnlessPushed),
    approval.on("sent", refreshUnlessPushed),
    // Also shown as a toast, because the dialog may be closed before it is read
    approval.on("stopped", (stopped) => toastFault(current().wordsOf(stopped))),
    approval.on("credited", () => {
      const follower = current();
      refresh(follower);
      if (follower.told !== undefined) toastDone(follower.told);
      follower.onDone();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
