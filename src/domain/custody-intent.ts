/** Custody transactions an owner can be asked to sign. */
export const CUSTODY_INTENTS = [
  "set-up",
  "deposit",
  "withdraw",
  "close-positions",
  "move-assets",
  "update-limits",
  "revoke",
  "delete",
] as const;

export type CustodyIntent = (typeof CUSTODY_INTENTS)[number];
