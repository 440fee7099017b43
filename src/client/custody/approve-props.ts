import type { CustodyIntent } from "../../domain/custody-intent.ts";
import type { ToastText } from "../lib/toast.ts";
import type { Agent } from "../../contract/agent.ts";

/** Intent the owner is asked to approve, and the caller's callbacks. */
export interface ApproveProps {
  readonly agent: Agent;
  readonly intent: CustodyIntent;
  /** Whole quote units as typed; absent for intents without an amount. */
  readonly amount?: string | null | undefined;
  /** Asset to move; absent when all are moved or the intent moves none. */
  readonly asset?: string | undefined;
  /** Toast shown after the last confirmation; absent shows none. */
  readonly told?: ToastText | undefined;
  /** Called to move the unsold assets instead; absent when that is not offered. */
  readonly onMoveInstead?: (() => void) | undefined;
  readonly onClose: () => void;
  /** All transactions of the intent are confirmed with the expected effect. */
  readonly onDone?: (() => void) | undefined;
}
