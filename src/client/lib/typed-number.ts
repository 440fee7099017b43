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
  // Commas group thousands as on the page itself, which prints 10,000.00
  /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/,
  // A point is a thousands separator when repeated or followed by a comma
  /^\d{1,3}(?:\.\d{3})+,\d*$/,
  /^\d{1,3}(?:\.\d{3}){2,}$/,
];

const number = (text: string): TypedNumber => ({ kind: "number", text });
const unclear = (words: string): TypedNumber => ({ kind: "unclear", words });

/**
 * Reads an unsigned decimal number as people write it and returns it as plain digits with at most one point.
 *
 * Numbers are read as the page prints them: a comma groups thousands, a point begins the decimals. Other thousands
 * separators are understood where they can mean nothing else; a comma that groups nothing is refused, because some
 * write decimals after it. `maxDecimals` is the number of digits allowed after the point, zeros beyond it aside.
 */
export function readTypedNumber(typed: string, maxDecimals: number): TypedNumber {
  const text = typed.trim();
  if (text.length > MAX_LENGTH) return unclear("That number is too long.");
  if (GROUPED.some((form) => form.test(text))) return readGrouped(text, maxDecimals);
  if (/^\d*\.?\d*$/.test(text)) return plain(text, maxDecimals);
  const comma = /^(\d*),(\d*)$/.exec(text);
  if (comma === null) return unclear("Write digits only, with a point before the decimals.");
  const [, whole = "", fraction = ""] = comma;
  return unclear(
    `A comma groups thousands here, as in 1,000. Write ${whole || "0"}.${fraction || "0"} with a point, or the number without a comma.`,
  );
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
  // A point is the decimal mark unless it occurs twice; a comma is after points, spaces or apostrophes only
  const isDecimal =
    mark !== undefined && text.indexOf(mark) === last && (mark === "." || /[^\d,]/.test(text));
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
