/** What the issuer of a token can do to whoever holds it. */
export const ISSUER_POWERS = ["freeze", "take_back", "pause", "hook", "fee"] as const;

export type IssuerPower = (typeof ISSUER_POWERS)[number];

/** A token whose issuer has powers over its holders. */
export interface IssuedToken {
  readonly symbol: string;
  readonly powers: readonly IssuerPower[];
}
