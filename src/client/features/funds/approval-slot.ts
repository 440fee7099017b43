import type { ReactNode } from "react";
import type { Agent } from "../../queries/agent.ts";

/** Asks the workspace to have the owner approve money moving; money dialogs know nothing of transactions. */
export interface ApprovalSlot {
  readonly agent: Agent;
  readonly intent: "deposit" | "withdraw" | "close-positions" | "move-assets";
  /** Whole quote units as typed; null for closing positions and moving assets. */
  readonly amount: string | null;
  /** Moves what could not be sold. */
  readonly onMoveInstead?: () => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export type RenderApproval = (slot: ApprovalSlot) => ReactNode;
