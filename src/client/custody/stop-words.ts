import type { VenueId } from "../../domain/venue-id.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { ApprovalPhase } from "./approval-phase.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";

const TITLES: Readonly<Record<CustodyIntent, string>> = {
  "set-up": "Custody setup failed",
  deposit: "Deposit failed",
  withdraw: "Withdrawal failed",
  "close-positions": "Positions not closed",
  "move-assets": "Not moved",
  "update-limits": "Spending Limits Warning",
  revoke: "Trading key not revoked",
  delete: "Agent deletion failed",
};

interface StoppedIntent {
  readonly intent: CustodyIntent;
  readonly venue: VenueId;
  /** True when multisig and vault are ready, so that only the venue's set-up steps remain. */
  readonly isVaultReady: boolean;
}

/** Returns the title of a stopped approval and the reason it stopped for. */
export function stopWords(
  { intent, venue, isVaultReady }: StoppedIntent,
  { reason, problem }: Extract<ApprovalPhase, { kind: "stopped" }>,
): { readonly title: string; readonly message: string } {
  const message = reason === "" ? "Please try again." : reason;
  if (intent === "set-up") {
    if (problem?.code === "unavailable" && !isVaultReady) {
      return {
        title: "Balance Check Failed",
        message: "Your wallet's balance could not be read. Nothing was sent. Please try again.",
      };
    }
    if (problem?.title === undefined && isVaultReady) {
      return {
        title: "Wallet Setup Failed",
        message: `Failed to set up ${VENUE_PROFILES[venue].label} trading control: ${message}`,
      };
    }
  }
  const isLeverage = intent === "update-limits" && !VENUE_PROFILES[venue].hasSpendingLimits;
  return { title: problem?.title ?? (isLeverage ? "Leverage Warning" : TITLES[intent]), message };
}
