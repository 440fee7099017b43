import type { VenueId } from "../domain/venue-id.ts";
import type { IssuerPower, IssuedToken } from "../domain/issuer-power.ts";

/** What owners are warned of at a venue; apart from the profiles, which the page's first load carries. */
export interface VenueWarnings {
  /** What a person should know before choosing the venue, one sentence. */
  readonly beforehand: string;
  /** What somebody who steals the server's trading key can do to an agent's money here, one sentence. */
  readonly stolenKey: string;
}

/** Warnings of all venues. A new venue adds its own here. */
export const VENUE_WARNINGS: Readonly<Record<VenueId, VenueWarnings>> = {
  drift: {
    beforehand: "Drift v2 is retired on mainnet: perpetuals trade with play money only today.",
    stolenKey:
      "Whoever steals the server's key can lose all of a perpetuals account to himself within seconds; the vault and your other agents stay yours.",
  },
  jupiter: {
    beforehand: "Jupiter's own site may quote better than an order of an agent gets.",
    stolenKey:
      "Whoever steals the server's key can draw the day's limit of each token and keep it, twice around the turn of a day; the rest of the vault and your other agents stay yours.",
  },
};

const POWER_WORDS: Readonly<Record<IssuerPower, string>> = {
  freeze: "freeze it",
  take_back: "take it back from any wallet",
  pause: "pause all transfers",
  hook: "run a program of its own at each transfer",
  fee: "take a fee at each transfer",
};

/** Returns what a token's issuer can do, one sentence. */
export function issuerSentence({ symbol, powers }: IssuedToken): string {
  const words = powers.map((power) => POWER_WORDS[power]);
  const last = words.pop() ?? "";
  return `The issuer of ${symbol} can ${words.length === 0 ? last : `${words.join(", ")} and ${last}`}.`;
}
