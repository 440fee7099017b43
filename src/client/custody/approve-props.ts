import type { CustodyIntent } from "../../domain/custody-intent.ts";
import type { ToastText } from "../lib/toast.ts";
import type { Agent } from "../queries/agent.ts";

/** What an owner is asked to approve, and what the asker does afterwards. */
export interface ApproveProps {
  readonly address: string;
  readonly agent: Agent;
  readonly intent: CustodyIntent;
  /** Whole quote units as typed; absent for intents without an amount. */
  readonly amount?: string | null | undefined;
  /** The one asset to move; absent: all of them, or the intent moves none. */
  readonly asset?: string | undefined;
  /** What is said once everything landed; absent: nothing. */
  readonly told?: ToastText | undefined;
  /** Moves what could not be sold; absent where that is not offered. */
  readonly onMoveInstead?: (() => void) | undefined;
  readonly onClose: () => void;
  /** Everything the intent asks for has landed with the expected effect. */
  readonly onDone?: (() => void) | undefined;
}
