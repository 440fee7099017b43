/** Venues that can execute orders, by their names on the wire and in the database. A new venue adds its name here. */
export const VENUE_IDS = ["drift", "jupiter"] as const;

export type VenueId = (typeof VENUE_IDS)[number];

/** Default venue: the first. */
export const DEFAULT_VENUE: VenueId = VENUE_IDS[0];

/** Returns the venue of a name, or null where there is none. */
export function parseVenueId(name: string): VenueId | null {
  return VENUE_IDS.find((venue) => venue === name) ?? null;
}

/** Returns the venue an agent is shown under: an agent of a removed venue shows as the default one. */
export const shownVenue = (venue: VenueId | null): VenueId => venue ?? DEFAULT_VENUE;
