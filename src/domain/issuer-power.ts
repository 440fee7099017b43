/** What the issuer of a token can do to whoever holds it, each with its words. */
const WORDS = {
  freeze: "freeze it",
  take_back: "take it back from any wallet",
  pause: "pause all transfers",
  hook: "run a program of its own at each transfer",
  fee: "take a fee at each transfer",
} as const;

export type IssuerPower = keyof typeof WORDS;

export const ISSUER_POWERS = ["freeze", "take_back", "pause", "hook", "fee"] as const;

/** A token whose issuer has powers over its holders. */
export interface IssuedToken {
  readonly symbol: string;
  readonly powers: readonly IssuerPower[];
}

/** Returns what a token's issuer can do, one sentence. */
export function issuerSentence({ symbol, powers }: IssuedToken): string {
  const words = powers.map((power) => WORDS[power]);
  const last = words.pop() ?? "";
  return `The issuer of ${symbol} can ${words.length === 0 ? last : `${words.join(", ")} and ${last}`}.`;
}
