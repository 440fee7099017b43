import type { Market, MarketKind } from "./market.ts";
import type { Side } from "./position.ts";
import type { VenueId } from "./venue-id.ts";

/**
 * What everybody else has to know of a venue: facts and texts that are the same on every network, for server and page.
 *
 * Nobody outside the venue's folder asks for its name.
 */
export interface VenueProfile {
  /** The venue as people read it. */
  readonly label: string;
  /** How all of its markets are traded. */
  readonly kind: MarketKind;
  /** Exposures an agent can have there; no action of a rule can ask for another. */
  readonly sides: readonly Side[];
  /** What it trades, in the order of the asset select. */
  readonly markets: readonly Market[];
  /** Token it settles in. */
  readonly quote: { readonly symbol: string; readonly decimals: number };
  /** True where the trading key moves tokens of the vault within limits that name the agent's asset. */
  readonly hasSpendingLimits: boolean;
  /** What an owner is told to do by hand while the venue refuses to delete a young account; absent where it never does. */
  readonly deletionByHand?: string;
}

export type VenueProfiles = Readonly<Record<VenueId, VenueProfile>>;

/** Returns why rules on the venue cannot have short actions; null when they can. */
export function refuseShorts({ label, kind, sides }: VenueProfile): string | null {
  return sides.includes("short")
    ? null
    : `${label} is ${kind} only: short actions need a perpetuals venue.`;
}
