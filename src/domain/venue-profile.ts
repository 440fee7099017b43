import type { Market, MarketKind } from "./market.ts";
import type { Side } from "./position.ts";
import type { VenueId } from "./venue-id.ts";

/**
 * Facts and texts of a venue that are the same on every network, for server and page.
 *
 * Code outside the venue's folder reads this profile and never compares venue names.
 */
export interface VenueProfile {
  /** Name of the venue as shown to users. */
  readonly label: string;
  /** How all of its markets are traded. */
  readonly kind: MarketKind;
  /** Position sides the venue supports; a rule's action can ask for no other. */
  readonly sides: readonly Side[];
  /** Its markets, in the order of the asset select. */
  readonly markets: readonly Market[];
  /** Settlement token. */
  readonly quote: { readonly symbol: string; readonly decimals: number };
  /** True where the trading key moves tokens of the vault within spending limits that name the agent's asset. */
  readonly hasSpendingLimits: boolean;
  /** True where the stop of a position rests at the venue; elsewhere the server watches the prices. */
  readonly keepsStops: boolean;
  /** Instructions for the owner while the venue refuses to delete a young account; absent where it never does. */
  readonly deletionByHand?: string;
}

export type VenueProfiles = Readonly<Record<VenueId, VenueProfile>>;

/** Returns why rules on the venue cannot have short actions; null when they can. */
export function refuseShorts({ label, kind, sides }: VenueProfile): string | null {
  return sides.includes("short")
    ? null
    : `${label} is ${kind} only: short actions need a perpetuals venue.`;
}
