import type { CustodyIntent } from "../../domain/custody-intent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** The user's request, from the page's own data and never from the server's answer. */
export interface RequestedApproval {
  readonly intent: CustodyIntent;
  readonly agentId: AgentId;
  readonly venue: VenueId;
  readonly wallet: SignedInWallet;
  /** Market the agent trades, by the venue's id. */
  readonly market: string;
  /** Asset to move; null when all are moved or none is. */
  readonly asset: string | null;
  /** Decimal text as it was typed; null when the intent has no amount. */
  readonly amount: string | null;
}
