/** Minimum share of distinct character pairs in a random text. */
const LEAST_DISTINCT_PAIRS = 0.6;

/** Number of characters examined, because the share of distinct pairs falls with a text's length. */
const LOOKED_AT = 64;

const HEX = /^[0-9a-f]{32,}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{22,}={0,2}$/;

const isMixed = (text: string): boolean =>
  /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

/** Returns whether neighbouring characters vary as in a random text; repetitions and counting sequences do not. */
function isVaried(text: string): boolean {
  const looked = text.slice(0, LOOKED_AT);
  const pairs = Array.from({ length: looked.length - 1 }, (_, at) => looked.slice(at, at + 2));
  const steps = pairs.map((pair) => pair.charCodeAt(1) - pair.charCodeAt(0));
  const share = (all: readonly unknown[]): number => new Set(all).size / all.length;
  const isCounted = steps.filter((step) => Math.abs(step) <= 1).length > steps.length / 2;
  return !isCounted && share(pairs) >= LEAST_DISTINCT_PAIRS;
}

/**
 * Returns whether a secret has the form of at least 128 random bits: hex of 32 digits, or base64 of 22 characters.
 *
 * Only the form is checked: words, a repeated letter and example texts are refused, but a published random secret is
 * not.
 */
export function hasSecretForm(text: string): boolean {
  const isEncoded = HEX.test(text) || (BASE64.test(text) && isMixed(text));
  return isEncoded && isVaried(text);
}
