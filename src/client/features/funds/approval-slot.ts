import type { ReactNode } from "react";
import type { Agent } from "../../../contract/agent.ts";

/** Asks the workspace to have the owner approve money moving; money dialogs know nothing of transactions. */
export interface ApprovalSlot {
  readonly agent: Agent;
  readonly intent: "deposit" | "withdraw" | "close-positions";
  /** Whole quote units as typed; null for closing positions. */
  readonly amount: string | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export type RenderApproval = (slot: ApprovalSlot) => ReactNode;
