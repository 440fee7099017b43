/** First four and last four characters. */
export function shortenAddress(address: string): string {
  return address.length <= 8 ? address : `${address.slice(0, 4)}...${address.slice(-4)}`;
}

/** Decimal text with thousands separators, rounded half up to fixed decimals; text in, text out, no float. */
export function displayDecimal(text: string, decimals: number): string {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!match || text === "" || text === "-") return text;
  const [, sign = "", whole = "", fraction = ""] = match;
  const padded = fraction.padEnd(decimals + 1, "0");
  let units = BigInt(`${whole || "0"}${padded.slice(0, decimals)}`);
  if (padded.charAt(decimals) >= "5") units += 1n;
  const digits = units.toString().padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  const grouped = groupThousands(digits.slice(0, cut));
  const shown = decimals === 0 ? grouped : `${grouped}.${digits.slice(cut)}`;
  return sign && units !== 0n ? `−${shown}` : shown;
}

/** Decimals of a size: two, more below one so that a small position does not read as none. */
export function sizeDecimals(text: string | undefined): number {
  return text !== undefined && /^-?0?\.(?!00?$|0+$)/.test(text) ? 4 : 2;
}

/** Decimal text with thousands separators, every digit kept. */
export function groupThousands(text: string): string {
  return text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

/** Base units as exact decimal text without trailing zeros. */
export function unitsToText(units: string, decimals: number): string {
  const digits = BigInt(units)
    .toString()
    .padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  const fraction = digits.slice(cut).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${fraction}`;
}

/** A share of one as percent with its sign, for instance +5.20%; a dash where it is not known. */
export function formatShare(share: number | null | undefined, decimals = 2): string {
  if (share === null || share === undefined) return "–";
  const text = displayDecimal(Math.abs(share * 100).toFixed(decimals), decimals);
  if (!/[1-9]/.test(text)) return `${text}%`;
  return `${share < 0 ? "−" : "+"}${text}%`;
}

/** Decimals at which marks that are so far apart read differently. */
export const decimalsOfStep = (step: number): number =>
  step > 0 ? Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 2;
