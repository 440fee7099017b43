/** Venues that can execute orders. Spec: decisions §2 */
export const VENUE_IDS = ["drift", "jupiter"] as const;

export type VenueId = (typeof VENUE_IDS)[number];

/** Listed in the venue select but never selectable. Spec: agents §2 */
export const COMING_SOON_VENUES = ["MarginFi", "Kamino", "DyDx"] as const;

/** Venue of an agent that names none. Spec: agents §3 */
export const DEFAULT_VENUE: VenueId = "drift";

/** Returns the venue a stored row shows under; an unknown name falls back to drift for display only. */
export function venueForDisplay(name: string): VenueId {
  return VENUE_IDS.find((venue) => venue === name) ?? DEFAULT_VENUE;
}

/** Returns the venue's name as people read it. */
export function venueLabel(venue: VenueId): string {
  return venue === "drift" ? "Drift" : "Jupiter";
}
