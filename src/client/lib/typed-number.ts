/** Result of parsing a typed number: plain decimal text, empty for no input, or the fault. */
export type TypedNumber =
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "unclear"; readonly words: string };

/** Maximum input length, in characters. */
const MAX_LENGTH = 40;

/** Unambiguous thousands separators: spaces, including narrow and non-breaking ones, and apostrophes. */
const GROUP = "[\\s'’]";

const GROUPED = [
  new RegExp(`^\\d{1,3}(?:${GROUP}\\d{3})+(?:[.,]\\d*)?$`),
  // A comma or point is a thousands separator when repeated or followed by the other mark
  /^\d{1,3}(?:,\d{3})+\.\d*$/,
  /^\d{1,3}(?:,\d{3}){2,}$/,
  /^\d{1,3}(?:\.\d{3})+,\d*$/,
  /^\d{1,3}(?:\.\d{3}){2,}$/,
];

const number = (text: string): TypedNumber => ({ kind: "number", text });
const unclear = (words: string): TypedNumber => ({ kind: "unclear", words });

/**
 * Reads an unsigned decimal number as people write it and returns it as plain digits with at most one point.
 *
 * Thousands separators are understood where they can mean nothing else; `1,000` could be a thousand or one, and is
 * refused where both fit. `maxDecimals` is the number of digits allowed after the point, zeros beyond it aside.
 */
export function readTypedNumber(typed: string, maxDecimals: number): TypedNumber {
  const text = typed.trim();
  if (text.length > MAX_LENGTH) return unclear("That number is too long.");
  if (GROUPED.some((form) => form.test(text))) return readGrouped(text, maxDecimals);
  if (/^\d*\.?\d*$/.test(text)) return plain(text, maxDecimals);
  const comma = /^(\d*),(\d*)$/.exec(text);
  if (comma === null) return unclear("Write digits only, with a point before the decimals.");
  const [, whole = "", fraction = ""] = comma;
  const isThousands = /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3;
  if (!isThousands) return plain(`${whole}.${fraction}`, maxDecimals);
  const asDecimal = plain(`${whole}.${fraction}`, maxDecimals);
  if (asDecimal.kind === "unclear") return plain(whole + fraction, maxDecimals);
  return unclear(`${text} can mean two things: write ${whole}${fraction} or ${whole}.${fraction}.`);
}

/** Parses a number with an optional minus, as a hyphen or the Unicode minus sign. */
export function readSignedNumber(typed: string, maxDecimals: number): TypedNumber {
  const digits = /^\s*[-−]/.test(typed) ? typed.replace(/^\s*[-−]/, "") : null;
  if (digits === null) return readTypedNumber(typed, maxDecimals);
  const read = readTypedNumber(digits, maxDecimals);
  if (read.kind === "unclear") return read;
  return read.text === "" ? unclear("Write digits after the minus.") : number(`-${read.text}`);
}

function readGrouped(text: string, maxDecimals: number): TypedNumber {
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  const mark = text[last];
  // The last mark is the decimal mark unless the same mark also occurs before it
  const isDecimal = mark !== undefined && text.indexOf(mark) === last;
  const digits = (part: string): string => part.replaceAll(/\D/g, "");
  if (!isDecimal) return plain(digits(text), maxDecimals);
  return plain(`${digits(text.slice(0, last))}.${digits(text.slice(last))}`, maxDecimals);
}

function plain(text: string, maxDecimals: number): TypedNumber {
  const [whole = "", fraction = ""] = text.split(".");
  if (whole === "" && fraction === "") return number("");
  if (/[1-9]/.test(fraction.slice(maxDecimals))) {
    return unclear(
      maxDecimals === 0
        ? "Write a whole number."
        : `Write at most ${maxDecimals} digits after the point.`,
    );
  }
  const kept = fraction.slice(0, maxDecimals).replace(/0+$/, "");
  const head = whole.replace(/^0+(?=\d)/, "") || "0";
  return number(kept === "" ? head : `${head}.${kept}`);
}
