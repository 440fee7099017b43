import type { CustodyIntent } from "../../domain/custody-intent.ts";

const TITLES: Readonly<Record<CustodyIntent, string>> = {
  "set-up": "Set up custody",
  deposit: "Deposit",
  withdraw: "Withdraw",
  "close-positions": "Close positions",
  "move-assets": "Move to your wallet",
  "update-limits": "Update spending limits",
  revoke: "Revoke the trading key",
  delete: "Delete agent",
};

/** Returns the title of an approval. */
export function intentTitle(intent: CustodyIntent): string {
  return TITLES[intent];
}
