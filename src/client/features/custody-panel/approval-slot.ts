import type { ReactNode } from "react";
import type { Agent } from "../../queries/agent.ts";

/** `set-up` gives the trading key back; `update-limits` without an amount follows the agent's asset. */
export interface AskedAccess {
  readonly intent: "revoke" | "set-up" | "update-limits" | "close-positions" | "move-assets";
  /** Whole quote units a day; null keeps the size. */
  readonly amount: string | null;
  /** The one asset to move. */
  readonly asset?: string;
}

/** Asks the workspace to have the owner approve a change of who may trade. */
export interface AccessApproval extends AskedAccess {
  readonly agent: Agent;
  /** Moves what could not be sold. */
  readonly onMoveInstead?: () => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export type RenderAccessApproval = (slot: AccessApproval) => ReactNode;
