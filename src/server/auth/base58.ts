const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/**
 * Decodes base58 that stands for exactly that many bytes, or returns null.
 *
 * Leading ones count as zero bytes, so every value has one spelling only.
 */
export function decodeBase58(text: string, byteLength: number): Uint8Array | null {
  // 1.37 characters a byte; longer texts cannot fit and would only cost time
  if (text.length === 0 || text.length > Math.ceil(byteLength * 1.4)) return null;
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const zeros = text.length - text.replace(/^1+/, "").length;
  const hex = value === 0n ? "" : value.toString(16);
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  if (zeros + digits.length !== byteLength) return null;
  const bytes = new Uint8Array(byteLength);
  bytes.set(digits, zeros);
  return bytes;
}

/** Encodes bytes the way wallets spell addresses and signatures. */
export function encodeBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = zeros < 0 ? bytes.length : zeros;
  let value = leading === bytes.length ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (value > 0n) {
    text = (ALPHABET[Number(value % 58n)] ?? "") + text;
    value /= 58n;
  }
  return "1".repeat(leading) + text;
}
