/** `set-up` gives the trading key back; `update-limits` without an amount follows the agent's asset. */
export interface AskedAccess {
  readonly intent: "revoke" | "set-up" | "update-limits" | "close-positions" | "move-assets";
  /** Whole quote units a day; null keeps the size. */
  readonly amount: string | null;
  /** The one asset to move. */
  readonly asset?: string;
}
