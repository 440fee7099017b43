/** Returns the change in percent of the first price; null without a usable first price. */
export function percentChange(first: number | undefined, last: number | undefined): number | null {
  if (first === undefined || last === undefined || first === 0) return null;
  return ((last - first) / first) * 100;
}

/** Returns signed percent text with a Unicode minus, for instance `+1.24%`. */
export function percentText(percent: number): string {
  const text = Math.abs(percent).toFixed(2);
  return `${percent < 0 && text !== "0.00" ? "−" : "+"}${text}%`;
}

/** Returns a price with thousands separators. */
export function priceText(price: number, decimals: number): string {
  const [whole = "", fraction] = price.toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",").replace("-", "−");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const SCALES = [
  { from: 1e9, unit: "B" },
  { from: 1e6, unit: "M" },
  { from: 1e3, unit: "K" },
] as const;

/** Returns a volume with three to four digits, for instance `41.2M`. */
export function volumeText(volume: number): string {
  const scale = SCALES.find(({ from }) => volume >= from);
  return scale ? `${(volume / scale.from).toFixed(1)}${scale.unit}` : volume.toFixed(0);
}
