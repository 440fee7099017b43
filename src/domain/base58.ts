/* oxlint-disable house/no-float-money -- digits of a base, never amounts */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Writes bytes in base58, as addresses, signatures and blockhashes are spelled. Each leading zero byte becomes a 1. */
export function encodeBase58(bytes: Uint8Array): string {
  const first = bytes.findIndex((byte) => byte !== 0);
  const zeros = first < 0 ? bytes.length : first;
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = "";
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  return "1".repeat(zeros) + text;
}

/**
 * Reads base58 that stands for exactly that many bytes. Returns null for any other text.
 *
 * Leading ones count as zero bytes, so every value has one spelling only.
 */
export function decodeBase58(text: string, byteLength: number): Uint8Array | null {
  // A byte takes at most 1.37 characters; longer texts cannot fit and would only cost time
  if (text.length === 0 || text.length > Math.ceil(byteLength * 1.4)) return null;
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const bytes = new Uint8Array(byteLength);
  let at = byteLength;
  for (; value > 0n && at > 0; value >>= 8n) {
    at -= 1;
    bytes[at] = Number(value & 255n);
  }
  const ones = text.length - text.replace(/^1+/, "").length;
  return value === 0n && at === ones ? bytes : null;
}
