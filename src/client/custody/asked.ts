import type { CustodyIntent } from "../../domain/custody-intent.ts";
import type { VenueId } from "../../domain/venue-id.ts";

/** What the user asked for, in the page's own words. */
export interface Asked {
  readonly intent: CustodyIntent;
  readonly agentId: string;
  readonly venue: VenueId;
  readonly wallet: string;
  /** Asset the agent trades, in the venue's words. */
  readonly market: string;
  /** The one asset to move; null for all of them, and where none is moved. */
  readonly asset: string | null;
  /** Decimal text as it was typed; null when the intent has no amount. */
  readonly amount: string | null;
}
