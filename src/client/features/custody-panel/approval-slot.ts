import type { ReactNode } from "react";
import type { Agent } from "../../../contract/agent.ts";

/** Asks the workspace to have the owner approve a change of who may trade. */
export interface AccessApproval {
  readonly agent: Agent;
  /** `set-up` gives the trading key back. */
  readonly intent: "revoke" | "set-up";
  readonly amount: null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export type RenderAccessApproval = (slot: AccessApproval) => ReactNode;
