const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Digits are worked on five at a time, bytes two at a time: a product of both is far below 2^53. */
const DIGITS = 5;
const GROUP = 58 ** DIGITS;
const WORD = 2 ** 16;

/** Upper bound of base58 digits a byte takes. */
const DIGITS_PER_BYTE = 1.37;

const ONE = ALPHABET.charCodeAt(0);
const LETTERS = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const NO_DIGIT = 255;
const DIGIT_OF = new Uint8Array(128).fill(NO_DIGIT);
for (const [digit, code] of LETTERS.entries()) DIGIT_OF[code] = digit;

/** Writes bytes in base58, as addresses, signatures and blockhashes are spelled. Each leading zero byte becomes a 1. */
export function encodeBase58(bytes: Uint8Array): string {
  const first = bytes.findIndex((byte) => byte !== 0);
  const zeros = first < 0 ? bytes.length : first;
  // Groups of five digits, least significant first
  const groups: number[] = [];
  let at = zeros;
  // An odd number of bytes begins with a single one
  if ((bytes.length - at) % 2 === 1) groups.push(bytes[at++] ?? 0);
  for (; at < bytes.length; at += 2) {
    let carry = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    for (let index = 0; index < groups.length; index += 1) {
      const value = (groups[index] ?? 0) * WORD + carry;
      carry = Math.floor(value / GROUP);
      groups[index] = value - carry * GROUP;
    }
    if (carry > 0) groups.push(carry);
  }
  let text = "";
  for (const group of groups) {
    let rest = group;
    for (let digit = 0; digit < DIGITS; digit += 1) {
      text = ALPHABET.charAt(rest % 58) + text;
      rest = Math.floor(rest / 58);
    }
  }
  let leading = 0;
  while (text.charCodeAt(leading) === ONE) leading += 1;
  return "1".repeat(zeros) + text.slice(leading);
}

/**
 * Reads base58 that stands for exactly that many bytes. Returns null for any other text.
 *
 * Leading ones count as zero bytes, so every value has one spelling only.
 */
export function decodeBase58(text: string, byteLength: number): Uint8Array | null {
  // Longer texts cannot fit and would only cost time
  if (text.length === 0 || text.length > Math.ceil(byteLength * (DIGITS_PER_BYTE + 0.03))) {
    return null;
  }
  // Words of two bytes, least significant first
  const words: number[] = [];
  for (let at = 0; at < text.length;) {
    // The first group is the one that need not be whole
    const end = at === 0 ? text.length % DIGITS || DIGITS : at + DIGITS;
    let carry = 0;
    for (; at < end; at += 1) {
      const digit = DIGIT_OF[text.charCodeAt(at)] ?? NO_DIGIT;
      if (digit === NO_DIGIT) return null;
      carry = carry * 58 + digit;
    }
    for (let index = 0; index < words.length; index += 1) {
      const value = (words[index] ?? 0) * GROUP + carry;
      carry = Math.floor(value / WORD);
      words[index] = value - carry * WORD;
    }
    for (; carry > 0; carry = Math.floor(carry / WORD)) words.push(carry % WORD);
  }
  return toBytes(words, text, byteLength);
}

/** Writes words as that many bytes; null when they need more, or another number of leading zeros than was spelled. */
function toBytes(words: readonly number[], text: string, byteLength: number): Uint8Array | null {
  const bytes = new Uint8Array(byteLength);
  for (const [index, word] of words.entries()) {
    const low = byteLength - 1 - 2 * index;
    const high = Math.floor(word / 256);
    if (low < 0 || (low === 0 && high > 0)) return null;
    bytes[low] = word % 256;
    if (low > 0) bytes[low - 1] = high;
  }
  let ones = 0;
  while (text.charCodeAt(ones) === ONE) ones += 1;
  const first = bytes.findIndex((byte) => byte !== 0);
  return (first < 0 ? byteLength : first) === ones ? bytes : null;
}
