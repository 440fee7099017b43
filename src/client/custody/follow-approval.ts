import type { QueryClient } from "@tanstack/react-query";
import type { AgentId } from "../../domain/ids.ts";
import { live } from "../lib/live.ts";
import { type ToastText, toastDone, toastFault } from "../lib/toast.ts";
import { markStale } from "../queries/stale.ts";
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
 * Connects an approval's phases with their effects: refetching and toasts. `current` returns the present follower.
 * Returns a function that disconnects them.
 */
export const followApproval = (
  { phase }: Pick<Approval, "phase">,
  current: () => ApprovalFollower,
): (() => void) =>
  phase.subscribe((next, last) => {
    const follower = current();
    // Also shown as a toast, because the dialog may be closed before it is read
    if (next.kind === "stopped") toastFault(follower.wordsOf(next));
    if (next.kind === last.kind) return;
    // Push reports intermediate steps; without it the page has to refetch
    const isStep = next.kind === "review" || next.kind === "following";
    if (isStep && !live.getState().isConnected) refresh(follower);
    if (next.kind !== "done") return;
    refresh(follower);
    if (follower.told !== undefined) toastDone(follower.told);
    follower.onDone();
  });
