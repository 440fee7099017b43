/** Requested change; `set-up` restores the trading key, `update-limits` without an amount follows the agent's asset. */
export interface RequestedAccess {
  readonly intent: "revoke" | "set-up" | "update-limits" | "close-positions" | "move-assets";
  /** Daily limit in whole quote units; null keeps the size. */
  readonly amount: string | null;
  /** Asset to move. */
  readonly asset?: string;
}
