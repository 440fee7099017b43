/** Returns the first four and last four characters of an address. */
export function shortenAddress(address: string): string {
  return address.length <= 8 ? address : `${address.slice(0, 4)}...${address.slice(-4)}`;
}

/**
 * Returns decimal text rounded to fixed decimals, halves away from zero, with thousands separators and without floats.
 * What is shown of money, sizes and prices is rounded here and in `formatFixed` alone (decision 007).
 */
export function displayDecimal(
  text: string,
  decimals: number,
  roundsUp = (_isNegative: boolean, rest: string) => rest.charAt(0) >= "5",
): string {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!match || text === "" || text === "-") return text;
  const [, sign = "", whole = "", fraction = ""] = match;
  const padded = fraction.padEnd(decimals + 1, "0");
  let units = BigInt(`${whole || "0"}${padded.slice(0, decimals)}`);
  if (roundsUp(sign !== "", padded.slice(decimals))) units += 1n;
  const digits = units.toString().padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  const grouped = groupThousands(digits.slice(0, cut));
  const shown = decimals === 0 ? grouped : `${grouped}.${digits.slice(cut)}`;
  return sign && units !== 0n ? `−${shown}` : shown;
}

/** Returns the number of decimals for prices of this size. */
export function priceDecimals(price: number): number {
  const size = Math.abs(price);
  if (size === 0 || size >= 10) return 2;
  if (size >= 1) return 3;
  return Math.min(8, 3 - Math.floor(Math.log10(size)));
}

/** Returns a price rounded with the decimals for its size. */
export const displayPrice = (price: string): string =>
  displayDecimal(price, priceDecimals(Number(price)));

/** Returns the decimals for a size: two, more below one so that a small position is not shown as zero. */
export function sizeDecimals(text: string | undefined): number {
  return text !== undefined && /^-?0?\.(?!00?$|0+$)/.test(text) ? 4 : 2;
}

/** Returns decimal text with thousands separators and all its digits. */
export function groupThousands(text: string): string {
  return text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

/** Returns a fraction as signed percent, for instance +5.20%; a dash when unknown. */
export function formatShare(share: number | null | undefined, decimals = 2): string {
  if (share === null || share === undefined) return "–";
  const text = displayDecimal(Math.abs(share * 100).toFixed(decimals), decimals);
  if (!/[1-9]/.test(text)) return `${text}%`;
  return `${share < 0 ? "−" : "+"}${text}%`;
}

/** Returns the decimals needed to tell apart axis marks that are `step` apart. */
export const decimalsOfStep = (step: number): number =>
  step > 0 ? Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 2;
